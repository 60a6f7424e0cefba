# The environment of the official image: a variable with a dot in its name is a setting, ELASTIC_PASSWORD the password.
set -euo pipefail
[ "$1" = eswrapper ] || exec "$@"
settings=()
while IFS='=' read -r -d '' name value; do
    case $name in [a-z]*.*) settings+=("-E$name=$value") ;; esac
done < <(env -0)
if [ -n "${ELASTIC_PASSWORD:-}" ]; then
    [ -f config/elasticsearch.keystore ] || bin/elasticsearch-keystore create
    printf %s "$ELASTIC_PASSWORD" | bin/elasticsearch-keystore add -x -f bootstrap.password
fi
exec bin/elasticsearch "${settings[@]}"
