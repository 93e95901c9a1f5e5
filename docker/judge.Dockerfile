# The judge, for machines that have no Linux or no bubblewrap. From the root of the checkout:
#   docker build -f docker/judge.Dockerfile -t judge .
# exercises/grader/README.md says how it is run and which rights it needs.
FROM python:3.11.13-slim-bookworm

RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap=0.8.0-2+deb12u1 \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /judge
COPY requirements/lock.txt requirements/
# The versions of the lock; torch is for the assignment on models and training alone.
RUN pip install --no-cache-dir --constraint requirements/lock.txt \
    latex2mathml markdown-it-py mdit-py-plugins numpy openpyxl torch

COPY exercises/__init__.py exercises/
COPY exercises/grader exercises/grader
COPY exercises/source exercises/source

# An ordinary user, whose sandboxes live in user namespaces: the container needs no capability.
RUN useradd --uid 1000 --create-home instructor
USER 1000
WORKDIR /work
ENV PYTHONPATH=/judge PYTHONDONTWRITEBYTECODE=1
ENTRYPOINT ["python", "-P", "-m", "exercises.grader"]
