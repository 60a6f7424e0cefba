# The environment of the official image: NEO4J_a_b__c=1 is the setting a.b_c=1, NEO4J_AUTH is user/password.
set -euo pipefail
conf=$NEO4J_CONF/neo4j.conf
classpath="$NEO4J_HOME/lib/*"
printf '%s\n' server.default_listen_address=0.0.0.0 server.directories.data=/data server.directories.logs=/logs > "$conf"
while IFS='=' read -r -d '' name value; do
    case $name in
        NEO4J_[a-z]*)
            setting=${name#NEO4J_}
            setting=${setting//__/%}
            setting=${setting//_/.}
            echo "${setting//%/_}=$value" >> "$conf"
            ;;
    esac
done < <(env -0)
if [ -n "${NEO4J_AUTH:-}" ] && [ ! -e /data/dbms/auth.ini ] && [ ! -e /data/databases/system ]; then
    java -cp "$classpath" org.neo4j.server.startup.Neo4jAdminCommand dbms set-initial-password "${NEO4J_AUTH#neo4j/}"
fi
[ "$1" = neo4j ] || exec "$@"
eval "exec $(java -cp "$classpath" org.neo4j.server.startup.Neo4jCommand console --dry-run)"
