# `ingest` gets the index folder of the image, since the repository is mounted read-only.
set -eu
if [ "${1:-}" = ingest ]; then
    shift
    exec hindsight ingest --index /index "$@"
fi
exec hindsight "$@"
