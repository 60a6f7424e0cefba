"""Chunks in an Elasticsearch server, 8 or 9, searched by BM25. The only module that knows its client.

Each snapshot has an index of its own, of one shard, so that the statistics behind a score are those of its chunks
alone; readers reach it by an alias. A changed snapshot is a clone of the index with only the changed documents written,
and the alias goes from the one to the other in one step. A document's id is a digest of all that is in it: writing it
again, as retries do, changes nothing, and what has to be written is a difference of two sets of ids.

The server gets tokens, never text to analyse: `stores.tokens` makes them.
"""

from __future__ import annotations

import hashlib
import logging
import re
import secrets
import struct
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
from elastic_transport import SerializationError, TlsError, TransportError
from elasticsearch import (
    ApiError,
    AuthenticationException,
    AuthorizationException,
    Elasticsearch,
    NotFoundError,
    UnsupportedProductError,
)
from elasticsearch.helpers import streaming_bulk

from hindsight_neo4j.errors import (
    SchemaMismatch,
    SettingsError,
    StoreError,
    StoreUnavailable,
    WriteFailed,
)
from hindsight_neo4j.model.chunk import FIELDS, Chunk, Document, Hit, Vector
from hindsight_neo4j.model.server import TEXT_USER, TextServer
from hindsight_neo4j.stores.ranking import best, by_symbol, weighted_terms
from hindsight_neo4j.stores.values import first_line, short_name

TEXT_SCHEMA_VERSION: Final = 1
"""Raised whenever fields or tokens of an index change meaning."""

PREFIX: Final = "hindsight-"
"""How the names of all our indexes and aliases begin. Others are never touched."""

TIMEOUT_S: Final = 30.0
"""Longest wait for an answer."""

START_TIMEOUT: Final = "20s"
"""Longest wait until a new index takes documents. Shorter than that for an answer, which says whether it does."""

BULK_TIMEOUT_S: Final = 120.0
"""Longest wait until a server has taken in a request full of documents."""

MERGE_TIMEOUT_S: Final = 600.0
"""Longest wait until deleted documents are purged."""

BULK_DOCUMENTS: Final = 1_000
BULK_BYTES: Final = 8_000_000
"""Most documents and bytes of one request. A server refuses 100 MB."""

SENDERS: Final = 2
"""Requests full of documents on their way at once: the next is made while the server takes in the one before."""

SHOW_TRIES: Final = 5
"""How often an index is shown anew when another writer was quicker; each time that one is done."""

BULK_RETRIES: Final = 5
"""How often documents are sent again that a busy server refused, after 0.5, 1, 2 ... seconds: 15 in all."""

SCAN_DOCUMENTS: Final = 10_000
"""Documents read at once where all are; the most that a server allows by default."""

MAJORS: Final = (8, 9)
"""Versions of the server that this client speaks to."""

# Without a handler of the program's own, Python would print the client's remarks about retries.
logging.getLogger("elastic_transport").addHandler(logging.NullHandler())

_ENCODE = msgspec.msgpack.Encoder().encode

_INDEX: Final = re.compile(r"-[0-9a-f]{12}\.[0-9a-f]{12}\.[ab]$")
"""How the name of an index of ours ends: a digest of the snapshot's name, one of who wrote it, and which of his two."""

_SETTINGS: Final[dict[str, Any]] = {
    "number_of_shards": 1,
    "auto_expand_replicas": "0-1",
    "refresh_interval": "-1",
    # All deleted documents are purged, since BM25 would go on counting them.
    "merge.policy.expunge_deletes_allowed": 0,
    # As many hits as have equal scores.
    "max_result_window": 1_000_000,
    "similarity.default": {"type": "BM25", "k1": 1.2, "b": 0.75},
}
_TOKENS: Final = {"type": "text", "analyzer": "whitespace", "index_options": "freqs"}
_MAPPINGS: Final[dict[str, Any]] = {
    "dynamic": "strict",
    "_source": {"includes": ["chunk"]},
    "properties": {
        **dict.fromkeys(FIELDS, _TOKENS),
        "symbol": {"type": "keyword"},
        "chunk": {"type": "object", "enabled": False},
    },
}


@dataclass(slots=True)
class _Draft:
    """An index being filled. `stale` are the ids in it that were not put again, `sent` the requests on their way.

    `model` is what its vectors are of.
    """

    index: str
    stale: set[str]
    ids: set[str] = field(default_factory=set)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    sent: deque[Future[int]] = field(default_factory=deque)
    model: str | None = None
    whole: bool = False


class ElasticsearchText:
    """A chunk store in Elasticsearch (`stores.protocols.ChunkStore`).

    Args:
        server: Where it is.
        owner: Who writes, if somebody does: a name that no other writer has. One who was cut off and comes back under
            the same name clears away what was left.

    Raises:
        SettingsError: The address is none.
        StoreUnavailable: No server answers there, or it refuses the password.
        SchemaMismatch: The server's version is none that we speak to.
    """

    def __init__(self, server: TextServer, owner: str = "") -> None:
        self.address = _checked_address(server.address)
        self._owner = hashlib.blake2b(
            (owner or secrets.token_hex(8)).encode(), digest_size=6
        ).hexdigest()
        self._drafts: dict[str, _Draft] = {}
        self._senders = ThreadPoolExecutor(SENDERS, thread_name_prefix="hindsight-bulk")
        self.written = 0
        with self._answering():
            self._client = _client(server)
        try:
            self._check_version()
        except StoreError:
            self._client.close()
            raise

    def put(self, snapshot: str, documents: Iterable[Document]) -> int:
        """Add documents and return how many. They are found only after `commit` and `publish`.

        Raises:
            WriteFailed: The server refused; what was there before is untouched.
            StoreUnavailable: The server does not answer.
        """
        draft = self._draft(snapshot)
        count = 0
        for document in documents:
            count += 1
            if document.vector is not None and draft.model is None:
                self._take_vectors(draft, document.vector)
            name = _id(document)
            if name in draft.ids:
                continue
            draft.ids.add(name)
            if name in draft.stale:
                draft.stale.discard(name)
                continue
            draft.waiting.append(_action(draft.index, name, document))
            if len(draft.waiting) >= BULK_DOCUMENTS:
                self._send(draft)
        return count

    def commit(self) -> None:
        """Make what was put since the last commit whole and durable, in place of what its snapshot held before.

        Raises:
            WriteFailed: The server refused; what was there before is untouched.
            StoreUnavailable: The server does not answer.
        """
        for draft in self._drafts.values():
            draft.waiting += (
                {"_op_type": "delete", "_index": draft.index, "_id": one} for one in draft.stale
            )
            self._send(draft)
            self._await(draft, 0)
            with self._writing():
                indices = self._client.options(request_timeout=MERGE_TIMEOUT_S).indices
                indices.refresh(index=draft.index)
                if draft.stale:
                    indices.forcemerge(index=draft.index, only_expunge_deletes=True)
                    indices.refresh(index=draft.index)
                indices.put_mapping(index=draft.index, meta=_meta(draft))
                # A whole index is never written again, only cloned.
                indices.put_settings(index=draft.index, settings={"index.blocks.write": True})
            draft.whole = True

    def publish(self) -> None:
        """Show readers what was committed.

        Raises:
            WriteFailed: The server refused; what was there before is untouched.
            StoreUnavailable: The server does not answer.
        """
        for snapshot, draft in list(self._drafts.items()):
            if draft.whole:
                self._show(snapshot, draft.index)
                del self._drafts[snapshot]

    def search(
        self, question: str, *, snapshot: str, limit: int, weights: dict[str, float] | None = None
    ) -> list[Hit]:
        """Return the best chunks for the words of `question`, best first, ties by chunk id.

        Only the first `MAX_QUESTION_TERMS` distinct terms count, each once.
        """
        terms = weighted_terms(question, weights)
        if not terms or limit < 1:
            return []
        query = _query(terms)

        def search(size: int) -> list[tuple[float, dict[str, Any]]]:
            return [(hit["_score"], hit) for hit in self._search(snapshot, query=query, size=size)]

        return best(search, _chunk, limit)

    def near(self, vector: Vector, *, snapshot: str, limit: int) -> list[Hit]:
        """Return the chunks whose vectors point most nearly where `vector` does, best first, ties by chunk id."""
        if limit < 1 or self.vector_model(snapshot) != vector.model:
            return []

        def search(size: int) -> list[tuple[float, dict[str, Any]]]:
            most = min(
                size, SCAN_DOCUMENTS
            )  # also the most that a server compares for one question
            knn = {
                "field": _vector_field(vector.model),
                "query_vector": _floats(vector),
                "k": most,
                "num_candidates": most,
            }
            # The server's score is (1 + cosine) / 2.
            return [
                (2.0 * hit["_score"] - 1.0, hit)
                for hit in self._search(snapshot, size=most, knn=knn)
            ]

        return best(search, _chunk, limit, scale=1.0)

    def vector_model(self, snapshot: str) -> str | None:
        """Return the model that the chunks' vectors are of; None where they have none."""
        with self._answering():
            try:
                _, meta = self._behind(snapshot)
            except NotFoundError:
                return None
        model = meta.get("vectors")
        return None if model is None else str(model)

    def token_counts(self, tokens: Sequence[str], *, snapshot: str) -> list[int]:
        """Return for each token (as `stores.tokens` makes them) how many chunks have it in their body."""
        if not tokens:
            return []
        filters = [{"term": {"body": token}} for token in tokens]
        with self._answering():
            try:
                found = self._client.search(
                    index=_alias(snapshot),
                    size=0,
                    aggs={"tokens": {"filters": {"filters": filters}}},
                )
            except NotFoundError:
                return [0] * len(tokens)
        return [int(each["doc_count"]) for each in found["aggregations"]["tokens"]["buckets"]]

    def chunks_of(self, symbols: Iterable[str], *, snapshot: str) -> dict[str, list[Chunk]]:
        """Return the chunks of each symbol, in line order. A symbol without chunks is left out."""
        wanted = sorted({short_name(symbol) for symbol in symbols})
        if not wanted:
            return {}
        query = {"constant_score": {"filter": {"terms": {"symbol": wanted}}}}
        return by_symbol(map(_chunk, self._search(snapshot, query=query, size=SCAN_DOCUMENTS)))

    def count(self, snapshot: str) -> int:
        """Return the number of chunks."""
        with self._answering():
            try:
                return int(self._client.count(index=_alias(snapshot))["count"])
            except NotFoundError:
                return 0

    def stamp(self, snapshot: str) -> str | None:
        """Return what the chunks of a snapshot come to, equal for equal chunks; None where there are none.

        Raises:
            SchemaMismatch: Another version wrote them.
        """
        with self._answering():
            try:
                _, meta = self._behind(snapshot)
            except NotFoundError:
                return None
        if meta.get("schema") != TEXT_SCHEMA_VERSION:
            raise SchemaMismatch(
                f"{self.address}: the chunks of {snapshot} have schema {meta.get('schema')}, this version"
                f" reads {TEXT_SCHEMA_VERSION}",
                hint="ingest the repository again, or use the version that wrote them",
            )
        return str(meta["stamp"])

    def forget(self, snapshot: str) -> None:
        """Delete the chunks of a snapshot, whole or half written.

        Raises:
            WriteFailed: The server refused.
            StoreUnavailable: The server does not answer.
        """
        with self._writing():
            found = self._client.indices.get(
                index=f"{_alias(snapshot)}.*", ignore_unavailable=True, features="aliases"
            )
            for index in found:
                self._client.indices.delete(index=index, ignore_unavailable=True)

    def left_over(self) -> list[str]:
        """Return what is left behind on the server, each in a few words."""
        return [f"index {name}, half-written or no longer shown" for name in self._hidden()]

    def repair(self) -> None:
        """Delete what is left behind: also what somebody is writing just now.

        Raises:
            WriteFailed: The server refused.
            StoreUnavailable: The server does not answer.
        """
        with self._writing():
            for name in self._hidden():
                self._client.indices.delete(index=name, ignore_unavailable=True)

    def _hidden(self) -> list[str]:
        """Return our indexes that no alias leads to. What only begins like one of ours is another's."""
        with self._answering():
            found = self._client.indices.get_alias(index=f"{PREFIX}*")
        return sorted(
            name for name, held in found.items() if not held["aliases"] and _INDEX.search(name)
        )

    def close(self) -> None:
        """Drop what was put without being published, and close the connections. May be called twice."""
        self._senders.shutdown(cancel_futures=True)
        try:
            for draft in self._drafts.values():
                with self._writing():
                    self._client.indices.delete(index=draft.index, ignore_unavailable=True)
        except StoreError:
            pass  # it is hidden, and the next writer clears it away
        finally:
            self._drafts.clear()
            self._client.close()

    def _search(
        self,
        snapshot: str,
        *,
        size: int,
        query: dict[str, Any] | None = None,
        knn: dict[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        with self._answering():
            try:
                found = self._client.search(
                    index=_alias(snapshot), query=query, knn=knn, size=size, track_total_hits=False
                )
            except NotFoundError:
                return []
        hits: list[dict[str, Any]] = found["hits"]["hits"]
        return hits

    def _draft(self, snapshot: str) -> _Draft:
        if snapshot not in self._drafts:
            with self._writing():
                self._drafts[snapshot] = self._begin(snapshot)
        return self._drafts[snapshot]

    def _begin(self, snapshot: str) -> _Draft:
        """Make the index to fill: a clone of the one that readers see, or an empty one."""
        indices = self._client.indices
        shown = self._shown(snapshot)
        names = [f"{_alias(snapshot)}.{self._owner}.{letter}" for letter in "ab"]
        index = names[1] if shown == names[0] else names[0]
        indices.delete(index=index, ignore_unavailable=True)
        if shown is None:
            made = indices.create(
                index=index, settings=_SETTINGS, mappings=_MAPPINGS, timeout=START_TIMEOUT
            )
            self._check_started(index, made)
            return _Draft(index, set())
        try:
            made = indices.clone(
                index=shown,
                target=index,
                settings={"index.blocks.write": None},
                timeout=START_TIMEOUT,
            )
        except NotFoundError:  # another writer has just published, and dropped what was shown
            return self._begin(snapshot)
        self._check_started(index, made)
        return _Draft(index, set(self._ids(index)))

    def _check_started(self, index: str, made: Any) -> None:
        """Refuse an index that the server made and gives no place on a disk: documents would wait for it, and fail."""
        if made["shards_acknowledged"]:
            return
        said = "it starts no index"
        with suppress(ApiError):  # one who may not look at the cluster is told less
            explained = self._client.cluster.allocation_explain(index=index, shard=0, primary=True)
            if explained.get("can_allocate") != "no":  # slow, and nothing is wrong
                return
            said = _why_not_started(explained, self._client.nodes.stats(metric="fs"))
        self._client.indices.delete(index=index, ignore_unavailable=True)
        raise WriteFailed(f"{self.address} refused the chunks: {said}", hint=_NO_ROOM)

    def _shown(self, snapshot: str) -> str | None:
        """Return the index that readers see, if it is one that can be cloned."""
        try:
            index, meta = self._behind(snapshot)
        except NotFoundError:
            return None
        return index if meta.get("schema") == TEXT_SCHEMA_VERSION else None

    def _behind(self, snapshot: str) -> tuple[str, dict[str, Any]]:
        """Return the index behind the alias of a snapshot, and what it says of itself."""
        found = self._client.indices.get_mapping(index=_alias(snapshot))
        index = _chosen(found)
        return index, found[index]["mappings"].get("_meta", {})

    def _ids(self, index: str) -> Iterator[str]:
        """Yield the ids of all documents of an index, which is not written meanwhile."""
        after: dict[str, Any] = {}
        self._client.indices.refresh(index=index)
        while True:
            found = self._client.search(
                index=index,
                query={"match_all": {}},
                sort=["_doc"],
                size=SCAN_DOCUMENTS,
                source=False,
                track_total_hits=False,
                **after,
            )
            hits = found["hits"]["hits"]
            yield from (hit["_id"] for hit in hits)
            if len(hits) < SCAN_DOCUMENTS:
                return
            after = {"search_after": hits[-1]["sort"]}

    def _show(self, snapshot: str, index: str) -> None:
        """Show an index in place of what is shown. Of two writers at once both may be, for a moment: one of them stays."""
        alias = _alias(snapshot)
        add = {"add": {"index": index, "alias": alias}}
        with self._writing():
            for left in reversed(range(SHOW_TRIES)):
                try:
                    drop = self._dropping(alias, kept=index)
                    self._client.indices.update_aliases(actions=[add, *drop])
                    break
                except NotFoundError:  # another writer has just dropped what was shown
                    if not left:
                        raise
            shown = self._client.indices.get_alias(name=alias)
            if len(shown) > 1:
                # Another writer dropped only what was shown before, as this one did.
                with suppress(NotFoundError):  # he has done this already
                    drop = self._dropping(alias, kept=_chosen(shown))
                    self._client.indices.update_aliases(actions=drop)

    def _dropping(self, alias: str, *, kept: str) -> list[dict[str, Any]]:
        """Return what takes an alias from all but one index."""
        try:
            shown = list(self._client.indices.get_alias(name=alias))
        except NotFoundError:
            return []
        return [
            # An index that is not ours may have got our alias: it loses that, and nothing else.
            {"remove_index": {"index": one}}
            if one.startswith(f"{alias}.")
            else {"remove": {"index": one, "alias": alias}}
            for one in shown
            if one != kept
        ]

    def _take_vectors(self, draft: _Draft, first: Vector) -> None:
        """Make room for vectors of a model, beside what the index that was cloned may have of another."""
        field = {
            "type": "dense_vector",
            "dims": len(first.values) // 2,
            "similarity": "cosine",
            # All are compared, so that the ranking is that of the index folder; a graph of neighbours would miss some.
            "index_options": {"type": "flat"},
        }
        with self._writing():
            self._client.indices.put_mapping(
                index=draft.index, properties={_vector_field(first.model): field}
            )
        draft.model = first.model

    def _send(self, draft: _Draft) -> None:
        """Have what waits written, and wait for what was sent before, so that little of it is held."""
        actions, draft.waiting = draft.waiting, []
        draft.sent.append(self._senders.submit(self._write, actions))
        self._await(draft, SENDERS)

    def _await(self, draft: _Draft, most: int) -> None:
        """Wait until at most so many requests are on their way.

        Raises:
            WriteFailed: The server refused one.
            StoreUnavailable: The server does not answer.
        """
        while len(draft.sent) > most:
            self.written += draft.sent.popleft().result()

    def _write(self, actions: list[dict[str, Any]]) -> int:
        """Write documents, those again that a busy server refused, and return how many."""
        count = 0
        with self._writing():
            done = streaming_bulk(
                self._client.options(request_timeout=BULK_TIMEOUT_S),
                actions,
                chunk_size=BULK_DOCUMENTS,
                max_chunk_bytes=BULK_BYTES,
                max_retries=BULK_RETRIES,
                initial_backoff=0.5,
                raise_on_error=False,
            )
            for is_done, answer in done:
                if not is_done:
                    raise self._refused_document(answer)
                count += 1
        return count

    def _refused_document(self, answer: dict[str, Any]) -> WriteFailed:
        (result,) = answer.values()
        said = result.get("error")
        kind, reason = (
            (said.get("type"), said.get("reason")) if isinstance(said, dict) else ("", said)
        )
        return WriteFailed(
            f"{self.address} refused a document: {first_line(reason)}",
            hint=_hint(str(kind), str(reason)),
        )

    def _check_version(self) -> None:
        with self._answering():
            try:
                number = str(self._client.info()["version"]["number"])
            except AuthorizationException:
                return  # one who may only read indexes cannot ask; what does not fit fails later
            except ApiError as error:
                if error.status_code != 405:
                    raise
                return  # an engine without its page about itself, as tests use it
        major = number.partition(".")[0]
        if not (major.isdecimal() and int(major) in MAJORS):
            raise SchemaMismatch(
                f"{self.address} is Elasticsearch {number[:40]}",
                hint="8 or 9 is needed: upgrade the server",
            )

    @contextmanager
    def _answering(self) -> Iterator[None]:
        """Turn the client's errors into `StoreUnavailable`."""
        try:
            yield
        except (ApiError, TransportError, UnsupportedProductError, ValueError, OSError) as error:
            said, hint = _meaning(error)
            raise StoreUnavailable(f"no chunks at {self.address}: {said}", hint=hint) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """As `_answering`, but what the server itself refuses is a `WriteFailed`."""
        with self._answering():
            try:
                yield
            except ApiError as error:
                if isinstance(error, AuthenticationException):
                    raise
                said, hint = _meaning(error)
                raise WriteFailed(
                    f"{self.address} refused the chunks: {said}", hint=hint
                ) from error


def _client(server: TextServer) -> Elasticsearch:
    options: dict[str, Any] = {}
    if server.api_key is not None:
        options["api_key"] = server.api_key
    elif server.password is not None or server.user is not None:
        options["basic_auth"] = (server.user or TEXT_USER, server.password or "")
    if server.address.startswith("https"):
        options["verify_certs"] = server.verify
        options["ssl_show_warn"] = False
        if server.ca is not None:
            if not Path(server.ca).is_file():
                raise SettingsError(
                    f"there is no file {server.ca}", hint="HINDSIGHT_TEXT_CA takes a PEM file"
                )
            options["ca_certs"] = server.ca
    return Elasticsearch(
        server.address,
        request_timeout=TIMEOUT_S,
        max_retries=3,
        retry_on_timeout=False,
        retry_on_status=(429, 502, 503, 504),
        **options,
    )


def _checked_address(address: str) -> str:
    scheme, _, host = address.partition("://")
    if "@" in host:  # not repeated, since it may hold a password
        raise SettingsError(
            "the address of an Elasticsearch holds no user", hint="give user and password apart"
        )
    if scheme not in ("http", "https") or not host.strip("/"):
        raise SettingsError(
            f"{address[:200]!r} is no address of an Elasticsearch",
            hint="such as http://localhost:9200",
        )
    authority, _, path = host.partition("/")
    if ":" not in authority.rpartition("]")[2]:
        authority += ":443" if scheme == "https" else ":9200"
    return f"{scheme}://{authority}{'/' + path.strip('/') if path.strip('/') else ''}"


_NO_ROOM: Final = (
    "make room on the server's disk, or raise cluster.routing.allocation.disk.watermark there"
)
_HINTS: Final = (
    ("flood-stage", _NO_ROOM),
    ("read-only-allow-delete", _NO_ROOM),
    (
        "circuit_breaking",
        "the server has too little memory: raise its heap, or ingest when it is idle",
    ),
    ("es_rejected_execution", "the server is too busy: ingest again later"),
    ("mapper_parsing", "the index is not ours: forget the snapshot, or give another server"),
    (
        "strict_dynamic_mapping",
        "the index is not ours: forget the snapshot, or give another server",
    ),
)


def _hint(*said: str) -> str:
    text = " ".join(said)
    for part, hint in _HINTS:
        if part in text:
            return hint
    return "check the address, the user, and that the server is up"


def _meaning(error: Exception) -> tuple[str, str]:
    """Return what is wrong and what to do, each in one line."""
    match error:
        case AuthenticationException() if "expired" in _reason(error):
            return f"the key or the token has expired ({_reason(error)})", "make a new one"
        case AuthenticationException():
            return "it refuses the user, the password or the key", "check them"
        case AuthorizationException():
            return (
                f"this user may not do that ({_reason(error)})",
                f"allow it all on the indexes {PREFIX}*, and monitor on the cluster",
            )
        case UnsupportedProductError():
            return "something else answers there", "give the address of an Elasticsearch 8 or 9"
        case SerializationError():
            return "what answers there is no Elasticsearch", "is there a proxy that wants a log-in?"
        case TlsError():
            return (
                f"no agreement about encryption ({first_line(error.message)})",
                "http:// where the server has no TLS, https:// where it has; HINDSIGHT_TEXT_CA=FILE for certificates of your own",
            )
        case ApiError():
            reason = _reason(error)
            return f"{reason} (status {error.status_code})", _hint(reason)
        case TransportError() if "Connection aborted" in error.message:
            return first_line(error.message), "is it up? Where it wants encryption, give https://"
        case TransportError():
            return first_line(error.message), _hint()
        case _:
            return first_line(error), _hint()


def _why_not_started(explained: Any, stats: Any) -> str:
    """Return which node gives an index no place, where its data lies, and why not, in one line."""
    for node in explained.get("node_allocation_decisions", ()):
        for decider in node.get("deciders", ()):
            if decider["decision"] == "NO":
                disks = stats["nodes"].get(node["node_id"], {}).get("fs", {}).get("data", [])
                paths = ", ".join(disk["path"] for disk in disks)
                return first_line(f"{node['node_name']} ({paths}): {decider['explanation']}")
    return first_line(explained["allocate_explanation"])


def _reason(error: ApiError) -> str:
    body = error.body
    said = body.get("error") if isinstance(body, dict) else body
    if isinstance(said, dict):
        return first_line(f"{said.get('type')}: {said.get('reason')}")
    return first_line(said or error.message)


def _alias(snapshot: str) -> str:
    """Return the name by which readers reach a snapshot: what can be read of it, and a digest of all of it."""
    readable = re.sub(r"[^a-z0-9]+", "-", snapshot.lower()).strip("-")[:60]
    return f"{PREFIX}{readable}-{short_name(snapshot)[:12]}"


def _chosen(indexes: Iterable[str]) -> str:
    """Return the one of several indexes under one alias that stays: every writer and reader takes the same."""
    return max(indexes)


def _meta(draft: _Draft) -> dict[str, Any]:
    content = hashlib.blake2b("".join(sorted(draft.ids)).encode(), digest_size=16)
    said = {"schema": TEXT_SCHEMA_VERSION, "stamp": content.hexdigest()}
    return said if draft.model is None else {**said, "vectors": draft.model}


def _id(document: Document) -> str:
    parts = (document.chunk, document.tokens, *filter(None, (document.vector,)))
    return hashlib.blake2b(_ENCODE(parts), digest_size=15).hexdigest()


def _vector_field(model: str) -> str:
    """Return the field of the vectors of a model: their number of dimensions cannot change, but models do."""
    return f"vector-{short_name(model)[:12]}"


def _floats(vector: Vector) -> list[float]:
    return list(struct.unpack(f"<{len(vector.values) // 2}e", vector.values))


def _action(index: str, name: str, document: Document) -> dict[str, Any]:
    source: dict[str, Any] = {
        **dict(zip(FIELDS, document.tokens, strict=True)),
        "symbol": short_name(document.chunk.symbol),
        "chunk": {"of": msgspec.to_builtins(document.chunk)},
    }
    if document.vector is not None:
        source[_vector_field(document.vector.model)] = _floats(document.vector)
    return {"_op_type": "index", "_index": index, "_id": name, "_source": source}


def _chunk(hit: dict[str, Any]) -> Chunk:
    return msgspec.convert(hit["_source"]["chunk"]["of"], Chunk)


def _query(terms: list[tuple[str, str, float]]) -> dict[str, Any]:
    parts = [{"term": {field: {"value": term, "boost": boost}}} for field, term, boost in terms]
    return {"bool": {"should": parts}}
