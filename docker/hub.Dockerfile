# What a student's server on a JupyterHub runs: JupyterLab, the library, the book. Build the book
# first, because the image takes it as it lies in _build/html:
#   make book && docker build -f docker/hub.Dockerfile -t course .
# docs/jupyterhub.md says what the hub needs to know.
FROM python:3.11.13-slim-bookworm

RUN apt-get update \
 && apt-get install -y --no-install-recommends git=1:2.39.5-0+deb12u3 \
 && rm -rf /var/lib/apt/lists/*

WORKDIR /srv/course
COPY requirements/lock.txt requirements/
# jupyterhub must be of the version that the hub itself is.
RUN pip install --no-cache-dir --constraint requirements/lock.txt \
    jupyterhub==6.1.1 nbgitpuller==1.3.0 jupyter-server-proxy==4.6.0 \
    jupyterlab jupyterlab-myst ipykernel ipywidgets \
    numpy array-api-compat jaxtyping matplotlib torch

# The notebooks that a link pulls import the library and the questions from here.
COPY transformer_lib transformer_lib
COPY course course
COPY chapters chapters
COPY _toc.yml ./
COPY _build/html /srv/book
COPY docker/jupyter_server_config.py /usr/local/etc/jupyter/
ENV PYTHONPATH=/srv/course

RUN useradd --uid 1000 --create-home student
USER 1000
WORKDIR /home/student
EXPOSE 8888
CMD ["jupyterhub-singleuser", "--ip=0.0.0.0", "--port=8888"]
