# The book and JupyterLab for one person, where Python shall not be installed. Build the book first,
# because the image takes it as it lies in _build/html:
#   make book && docker build -f docker/lab.Dockerfile -t lab .
# JupyterLab; the address with its token is printed, and your copies stay in the folder my:
#   docker run --rm -p 127.0.0.1:8888:8888 -v "$PWD/my:/srv/course/my" lab
# The book alone, at http://127.0.0.1:8000:
#   docker run --rm -p 127.0.0.1:8000:8000 lab \
#     python -m http.server 8000 --directory _build/html
FROM python:3.11.13-slim-bookworm

WORKDIR /srv/course
COPY requirements/lock.txt requirements/
RUN pip install --no-cache-dir --constraint requirements/lock.txt \
    jupyterlab jupyterlab-myst ipykernel ipywidgets \
    nbgrader pybtex PyYAML \
    numpy array-api-compat jaxtyping matplotlib torch

COPY transformer_lib transformer_lib
COPY course course
COPY book book
COPY chapters chapters
COPY exercises exercises
COPY _config.yml _toc.yml intro.md references.bib ./
COPY _build/html _build/html

RUN useradd --uid 1000 --create-home reader && mkdir my && chown reader my
USER 1000
ENV PYTHONPATH=/srv/course
EXPOSE 8888 8000
CMD ["python", "-m", "book.lab", "--", "--ip=0.0.0.0", "--port=8888", "--no-browser"]
