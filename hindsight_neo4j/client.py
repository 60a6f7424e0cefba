"""The library's door: one `Hindsight` for one index.

    from hindsight_neo4j import Hindsight

    with Hindsight.open("path/to/repository") as repository:
        repository.ingest()
        for caller in repository.callers("Store.put").items:
            print(caller.id, caller.lines)

Rooms are imported where they are used, not above: a `callers` must not wait for the grammars. Which engine a store is
is decided in `engines`.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self, TextIO

from hindsight_neo4j.errors import (
    HindsightError,
    SettingsError,
    SourceError,
    StoreError,
    StoreUnavailable,
)
from hindsight_neo4j.model.answer import Mode
from hindsight_neo4j.model.status import Check, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hindsight_neo4j.answering import AgentLimits
    from hindsight_neo4j.distillation import Exported, Gold, Lesson, Ranks
    from hindsight_neo4j.embedding.encoder import Encoder
    from hindsight_neo4j.engines import Chosen, Engines
    from hindsight_neo4j.evaluation import Condition, Examiner, Graded, Outcome, Question, Task
    from hindsight_neo4j.evidence import EvidenceFiles
    from hindsight_neo4j.model.answer import TraceStep
    from hindsight_neo4j.model.audit import EdgeAudit
    from hindsight_neo4j.model.exchange import Hear, ModelOptions, SpendLimit, Usage
    from hindsight_neo4j.model.lookup import Lookup
    from hindsight_neo4j.model.progress import Progress
    from hindsight_neo4j.model.question import Asked, Breadth, Intent, Located
    from hindsight_neo4j.model.report import IngestReport
    from hindsight_neo4j.model.server import GraphServer, TextServer
    from hindsight_neo4j.model.template import Params, Row, Template, Value
    from hindsight_neo4j.models.chat import ChatModel
    from hindsight_neo4j.models.ledger import Ledger
    from hindsight_neo4j.models.talk import Talk
    from hindsight_neo4j.retrieval.state import AskOptions, Sources
    from hindsight_neo4j.settings import IngestOptions
    from hindsight_neo4j.stores.protocols import ChunkStore, GraphStore
    from hindsight_neo4j.templates.catalogue import Catalogue


class Hindsight:
    """One repository's index: ingest it, ask it, look things up in it.

    Make one with `open`. It is a context manager, and holds nothing open before the first question.

    >>> with Hindsight.open(repository) as shop:  # a path; the index is found in it or above
    ...     [found.id for found in shop.callers("Store.put").items]
    ['api.py:save']

    Attributes:
        index: The index folder, made or not yet.
    """

    def __init__(self, engines: Engines, start: Path, snapshot: str | None) -> None:
        self._engines = engines
        self._folder = engines.folder
        self._start = start
        self._wanted = snapshot
        self._encoder: Encoder | None = None

    @classmethod
    def open(
        cls,
        path: str | Path = ".",
        *,
        index: str | Path | None = None,
        snapshot: str | None = None,
        graph: GraphServer | None = None,
        text: TextServer | None = None,
    ) -> Self:
        """Return the index of the repository at `path`, or of the nearest folder above that has one.

        Nothing is read yet: an index that is missing is said by the first question.

        Args:
            path: A repository, or a place inside it.
            index: The index folder itself, wherever it is.
            snapshot: Which snapshot to read; None: that of the index folder, or the only one.
            graph: The Neo4j that holds the graph; None: it is in the index folder.
            text: The Elasticsearch that holds the chunks; None: they are in the index folder.

        Raises:
            SourceError: There is no such path.
        """
        from hindsight_neo4j.engines import Engines
        from hindsight_neo4j.stores.index_folder import IndexFolder

        start = Path(path)
        if index is not None:
            return cls(Engines(IndexFolder(Path(index)), graph, text), start, snapshot)
        if not start.exists():
            raise SourceError(f"there is no {start}", hint="give the path of a repository")
        try:
            folder = IndexFolder.find(start)
        except StoreUnavailable:
            folder = IndexFolder.of_repository(start)
        return cls(Engines(folder, graph, text), start, snapshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Hindsight({str(self.index)!r})"

    @property
    def index(self) -> Path:
        """The index folder, made or not yet."""
        return self._folder.path

    def close(self) -> None:
        """Release the stores. May be called twice; a later question opens them again."""
        self._engines.close()

    @classmethod
    def of_repository(
        cls,
        path: str | Path,
        *,
        index: str | Path | None = None,
        graph: GraphServer | None = None,
        text: TextServer | None = None,
    ) -> Self:
        """Return the index that belongs to the repository at `path` itself, made or not, to ingest into.

        Args:
            path: The root of a repository.
            index: Where the index is instead of `path/.hindsight`.
            graph: The Neo4j for the graph; None: it goes into the index folder.
            text: The Elasticsearch for the chunks; None: they go into the index folder.
        """
        from hindsight_neo4j.engines import Engines
        from hindsight_neo4j.stores.index_folder import IndexFolder

        root = Path(path)
        folder = IndexFolder(Path(index)) if index is not None else IndexFolder.of_repository(root)
        return cls(Engines(folder, graph, text), root, None)

    def ingest(
        self,
        path: str | Path | None = None,
        *,
        options: IngestOptions | None = None,
        snapshot: str | None = None,
        evidence: EvidenceFiles | None = None,
        dense: bool | str = False,
        force: bool = False,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Read the repository into the index, and return what was done. Only changed files are read again.

        Args:
            path: The repository; None: the one that the index belongs to, else the path opened.
            options: Caps and workers; None: the defaults.
            snapshot: A name for this state; None: the folder's name, with its commit or digest unless it goes to a
                server, where each ingest takes the place of the one before.
            evidence: Files of recorded runs and of compilers (docs/evidence.md).
            dense: Make vectors of the chunks too, so that `locate` and `ask` can search by them: by the model of the
                extra `dense`, or by one of that name or in that folder (docs/dense.md).
            force: Read all files again.
            dry_run: Count, and write nothing.
            progress: Is told how far it is.

        Raises:
            SourceError: There is nothing to read, or a piece of evidence is damaged or foreign.
            SettingsError: Vectors are asked for, and what makes them is not installed.
            LanguageError: A grammar does not load.
            StoreBusy: Another process writes this index.
        """
        from hindsight_neo4j.settings import IngestOptions

        root = Path(path) if path is not None else self._root()
        options = options or IngestOptions.load()
        self.close()
        if dry_run:
            return _counted_only(root, options, snapshot, evidence, progress)
        encoder = self._loaded(dense) if dense else None
        if force:
            self._drop_facts(options)
        return _ingest(
            root, self._engines, options, snapshot, evidence, progress, encoder=encoder, force=force
        )

    def _drop_facts(self, options: IngestOptions) -> None:
        if self.index.is_dir():
            with self._folder.lock(options.lock_seconds):
                self._folder.facts.unlink(missing_ok=True)

    def _root(self) -> Path:
        try:
            return Path(self._folder.current().manifest().root)
        except StoreError:
            return self._start

    # Questions

    def locate(
        self,
        question: str,
        *,
        intent: Intent | None = None,
        scope: Breadth | None = None,
        policy: str = "default",
        dense: bool | str = False,
        limit: int | None = None,
    ) -> Located:
        """Rank the files, classes and functions that `question` is about.

        Args:
            question: Any text: a sentence, an issue, a stack trace.
            intent: What the asker is about to do; None lets the classifier guess.
            scope: Across files or inside one; None lets it guess.
            policy: "default", "article" (the published rules) or "bm25" (no walk at all).
            dense: Search by vectors as well, of an index that was ingested with them; a text says where their model is.
            limit: Most candidates of each grain.

        Raises:
            QuestionError: The question is empty.
            SettingsError: Vectors are asked for, and the index has none, or their model is not here.
            StoreError: The index cannot be read.

        >>> with Hindsight.open(repository) as shop:
        ...     shop.locate("who checks the key?", limit=1).files[0].id
        'store.py'
        """
        from hindsight_neo4j import retrieval

        options = _ask_options(
            intent=intent, scope=scope, policy=policy, limit=limit, dense=bool(dense)
        )
        return retrieval.locate(question, self._sources(dense), options)

    def evaluate(
        self,
        tasks: Iterable[Task],
        conditions: Sequence[Condition],
        *,
        done: Callable[[], None] = lambda: None,
    ) -> list[Outcome]:
        """Locate every task under every condition (`hindsight_neo4j.evaluation`), and call `done` after each task."""
        from hindsight_neo4j import evaluation

        return evaluation.run(
            tasks, self._sources(evaluation.need_vectors(conditions)), conditions, done
        )

    def evaluate_answers(
        self,
        questions: Iterable[Question],
        conditions: Sequence[str],
        *,
        budget: int,
        model: ChatModel | ModelOptions | None = None,
        judge: ModelOptions | None = None,
        repeat: int = 1,
        quality: bool = False,
        spend: SpendLimit | None = None,
        at_once: int = 1,
        done: Callable[[], None] = lambda: None,
    ) -> tuple[list[Graded], Usage]:
        """Answer every question under every condition, judge the answers, and return that with what it took.

        Args:
            questions: With their facts.
            conditions: Names of `evaluation.CONTEXTS`.
            budget: Most tokens of evidence.
            model: Who answers; None measures what would be read.
            judge: Who judges; None leaves that out.
            repeat: How often each answer is judged, with seeds of their own.
            quality: Ask for marks as well.
            spend: Where the models stop, each by itself.
            at_once: Questions about which the models are asked at a time.
            done: Is called after each question.

        Raises:
            ModelError: A model cannot be asked any more; what it said so far is kept for the next run.
        """
        from hindsight_neo4j import evaluation

        with self._examiner(conditions, budget, model, judge, repeat, quality, spend) as examiner:
            graded = evaluation.run_answers(questions, conditions, examiner, done, at_once)
            return graded, examiner.usage

    def estimate_answers(
        self,
        questions: Iterable[Question],
        conditions: Sequence[str],
        *,
        budget: int,
        model: ChatModel | ModelOptions,
        judge: ModelOptions | None = None,
        repeat: int = 1,
        quality: bool = False,
    ) -> Usage:
        """Return the most that `evaluate_answers` could take. Nothing is sent."""
        from hindsight_neo4j import evaluation

        with self._examiner(conditions, budget, model, judge, repeat, quality, None) as examiner:
            return evaluation.estimate_answers(questions, conditions, examiner)

    @contextmanager
    def _examiner(
        self,
        conditions: Sequence[str],
        budget: int,
        model: ChatModel | ModelOptions | None,
        judge: ModelOptions | None,
        repeat: int,
        quality: bool,
        spend: SpendLimit | None,
    ) -> Iterator[Examiner]:
        from hindsight_neo4j import evaluation

        with ExitStack() as stack:
            talk = stack.enter_context(self._talk(model, spend)) if model is not None else None
            judges = [
                stack.enter_context(self._talk(replace(judge, seed=seed), spend))
                for seed in range(repeat)
                if judge is not None
            ]
            found = (evaluation.CONTEXTS[name].retrieval for name in conditions)
            sources = self._sources(evaluation.need_vectors(each for each in found if each))
            yield evaluation.Examiner(sources, budget, talk, judges, quality)

    def tasks_from_git(
        self, repository: str | Path = ".", *, base: str = "HEAD", to: str
    ) -> Iterator[Task]:
        """Yield tasks made of the commits in `base..to`; the index must be that of `base`.

        Raises:
            SourceError: It is no git repository, or has no such commit.
        """
        from hindsight_neo4j import evaluation

        return evaluation.tasks_from_git(Path(repository), self._sources(), base=base, to=to)

    def ask(
        self,
        question: str,
        *,
        intent: Intent | None = None,
        scope: Breadth | None = None,
        policy: str = "default",
        dense: bool | str = False,
        limit: int | None = None,
        budget: int | None = None,
        model: ChatModel | ModelOptions | None = None,
        mode: Mode | None = None,
        spend: SpendLimit | None = None,
        agent: AgentLimits | None = None,
        trace: Callable[[TraceStep], None] = lambda step: None,
        hear: Hear | None = None,
    ) -> Asked:
        """Answer `question` as `locate` does, with the evidence packed into `budget` tokens, and in prose by a model.

        A model that fails raises nothing: the evidence is there, `failed` is true and `answer_reason` says why.

        Args:
            question: Any text.
            intent: As for `locate`.
            scope: As for `locate`.
            policy: As for `locate`.
            dense: As for `locate`.
            limit: As for `locate`.
            budget: Most tokens of evidence.
            model: Any chat model of langchain_core, or where one is. None: nothing is sent anywhere.
            mode: What the model does; None: it plans and reads.
            spend: Where spending on this question stops.
            agent: Where the agent of `Mode.AGENT` stops.
            trace: Is given each step of the model.
            hear: Is given the answer while it comes, all of it so far, not checked yet.

        Raises:
            QuestionError: The question is empty.
            SettingsError: A mode needs a model, or the model's libraries are missing; vectors as for `locate`.
            StoreError: The index cannot be read.
        """
        from hindsight_neo4j import retrieval

        options = _ask_options(
            intent=intent,
            scope=scope,
            policy=policy,
            limit=limit,
            budget=budget,
            dense=bool(dense),
        )
        sources = self._sources(dense)
        if not _takes_part(model, mode):
            return retrieval.ask(question, sources, options)
        from hindsight_neo4j.answering import answer

        with self._talk(model, spend) as talk:
            return answer(
                question,
                sources,
                options,
                talk,
                mode=mode or Mode.ASSISTED,
                limits=agent,
                trace=trace,
                hear=hear,
            )

    def estimate(
        self,
        question: str,
        *,
        model: ChatModel | ModelOptions,
        mode: Mode | None = None,
        budget: int | None = None,
        agent: AgentLimits | None = None,
    ) -> Usage:
        """Return the most that answering `question` would take. Nothing is sent. Raises as `ask`."""
        from hindsight_neo4j.answering import estimate

        with self._talk(model, None) as talk:
            return estimate(self.ask(question, budget=budget), talk, mode or Mode.ASSISTED, agent)

    def lesson(
        self,
        question: str,
        gold: Gold,
        *,
        id_: str = "",
        repository: str = "",
        ranks: Ranks | None = None,
        model: ChatModel | ModelOptions | None = None,
        mode: Mode | None = None,
        spend: SpendLimit | None = None,
    ) -> tuple[Lesson | None, str]:
        """Run a question whose places are known, and return the lesson of it, or None and why there is none.

        Args:
            question: The question.
            gold: Its places.
            id_: What the lesson is called.
            repository: Whose code it is.
            ranks: How far down the places may stand.
            model: The teacher; None: the offline pipeline.
            mode: As for `ask`.
            spend: As for `ask`.

        Raises:
            QuestionError: The question is empty.
            StoreError: The index cannot be read.
        """
        from hindsight_neo4j.distillation import Ranks, by_model, offline
        from hindsight_neo4j.distillation.sieve import missed

        steps: list[TraceStep] = []
        asked = None
        if _takes_part(model, mode):
            asked = self.ask(question, model=model, mode=mode, spend=spend, trace=steps.append)
            located = asked.located
        else:
            located = self.locate(question)
        if grain := missed(located, gold, ranks or Ranks()):
            return None, f"{grain} not found"
        if asked is None:
            return offline(id_, repository, located, self._sources()), ""
        lesson = by_model(id_, repository, asked, steps)
        return lesson, "" if lesson else "no supported answer"

    @contextmanager
    def _talk(
        self, model: ChatModel | ModelOptions | None, spend: SpendLimit | None
    ) -> Iterator[Talk]:
        from hindsight_neo4j.models.talk import Talk
        from hindsight_neo4j.retrieval.budget import count_tokens

        if model is None:
            raise SettingsError(
                "this mode needs a model", hint="give --model, or use --mode offline"
            )
        ledger = self._ledger() if os.access(self.index, os.W_OK) else None
        talk = Talk.to(
            model, version=self._index_version(), count=count_tokens, ledger=ledger, limit=spend
        )
        try:
            yield talk
        finally:
            talk.close()
            if ledger is not None:
                ledger.close()

    def _ledger(self) -> Ledger:
        from hindsight_neo4j.models.ledger import FILE_NAME, Ledger

        return Ledger(self.index / FILE_NAME)

    def _index_version(self) -> str:
        chosen = self._current()
        return f"{chosen.name} of {chosen.created} by {chosen.version}"

    # Lookups

    def callers(self, symbol: str) -> Lookup:
        """Return who calls `symbol`: an id, a qualified name, or the end of one that fits one symbol only.

        Raises:
            SymbolError: The symbol is unknown or ambiguous; `candidates` lists what it could mean.

        >>> with Hindsight.open(repository) as shop:
        ...     shop.callers("check").items[0].lines
        (3,)
        """
        return self._lookup("callers", symbol)

    def callees(self, symbol: str) -> Lookup:
        """Return what `symbol` calls. Raises as `callers`."""
        return self._lookup("callees", symbol)

    def impact(self, symbol: str) -> Lookup:
        """Return what may break when `symbol` changes, nearest first. Raises as `callers`."""
        return self._lookup("impact", symbol)

    def tests(self, symbol: str) -> Lookup:
        """Return the tests that exercise `symbol`, directly or over other code. Raises as `callers`."""
        return self._lookup("tests", symbol)

    def members(self, symbol: str) -> Lookup:
        """Return what the directory, file or class `symbol` contains. Raises as `callers`."""
        return self._lookup("members", symbol)

    def references(self, symbol: str) -> Lookup:
        """Return the definition of `symbol` and every use, resolved where that is possible. Raises as `callers`."""
        return self._lookup("references", symbol)

    def path(self, source: str, target: str) -> Lookup:
        """Return how `source` leads to `target` by the fewest edges. Raises as `callers`."""
        return self._lookup("path", source, target)

    def _lookup(self, command: str, *symbols: str) -> Lookup:
        from hindsight_neo4j.retrieval import lookup

        find = getattr(lookup, command)
        return find(self._sources(), *symbols)  # type: ignore[no-any-return]

    # Templates

    @staticmethod
    def templates() -> tuple[Template, ...]:
        """Return the templates that can be run, by name."""
        return tuple(_catalogue())

    @staticmethod
    def template(name: str) -> Template:
        """Return the template `name`, such as "lookup/callers", or "callers" where no other ends so.

        Raises:
            TemplateError: None or several are called that.
        """
        return _catalogue().get(name)

    @staticmethod
    def saved_queries() -> bytes:
        """Return an archive of the templates to drop on the page of Neo4j Browser."""
        from hindsight_neo4j.templates.saved_queries import saved_queries

        return saved_queries()

    @staticmethod
    def browser_guide() -> str:
        """Return the templates as a guide that `:play` opens in Neo4j Browser, in HTML."""
        from hindsight_neo4j.templates.browser_guide import guide

        return guide()

    def run_template(self, name: str, /, **params: Value) -> list[Row]:
        """Run a template; `snapshot` is filled in.

        Raises:
            TemplateError: There is no such template, or a parameter is missing or wrong.

        >>> with Hindsight.open(repository) as shop:
        ...     shop.run_template("audit/count_nodes")[0]
        {'kind': 'Class', 'nodes': 1}
        """
        from hindsight_neo4j.templates.binding import bind

        template = _catalogue().get(name)
        if any(param.name == "snapshot" for param in template.params):
            params = {"snapshot": self._current().stored, **params}
        return self._graph().run(template, bind(template, params))

    def run_cypher(
        self, text: str, params: Params | None = None, *, as_written: bool = False
    ) -> list[Row]:
        """Run a Cypher text of your own, read-only; `snapshot` is filled in where the text asks for it.

        Args:
            text: One statement of reading clauses.
            params: Values for its `$parameters`.
            as_written: The values are text from a command line, in which numbers and lists are to be read.

        Raises:
            TemplateError: The text may do more than read, or a parameter is missing or wrong.
        """
        from hindsight_neo4j.templates.binding import guess
        from hindsight_neo4j.templates.guard import user_template
        from hindsight_neo4j.templates.tokens import TokenKind, tokenize

        values = {k: guess(str(v)) if as_written else v for k, v in (params or {}).items()}
        if any(t.kind is TokenKind.PARAM and t.text == "snapshot" for t in tokenize(text)):
            values.setdefault("snapshot", self._current().stored)
        return self._graph().run(user_template(text, values), values)

    # Upkeep

    @property
    def snapshot(self) -> str:
        """The name of the snapshot that is read.

        Raises:
            SettingsError: The one asked for is not in this index.
            StoreError: The index cannot be read.
        """
        return self._current().name

    def status(self) -> Status:
        """Return what the snapshot holds, counted by the stores."""
        chosen = self._current()
        nodes, edges = self._graph().counts(chosen.stored)
        return Status(
            snapshot=chosen.name,
            root=chosen.root,
            index=self._engines.where,
            created=chosen.created,
            version=chosen.version,
            nodes=nodes,
            edges=edges,
            chunks=self._chunks().count(chosen.name),
            index_bytes=self._folder.size(chosen.generation) if chosen.generation else 0,
            models=self._spent(),
        )

    def audit_edges(self) -> EdgeAudit:
        """Return how many calls no edge stands for, and where; which tiers the edges have; which names are ambiguous.

        >>> with Hindsight.open(repository) as shop:
        ...     shop.audit_edges().unresolved
        0
        """
        from hindsight_neo4j.retrieval.audit import audit_edges

        return audit_edges(self._sources())

    def import_cycles(self) -> tuple[tuple[str, ...], ...]:
        """Return circles of files, each of which imports the next: of each import in one the shortest circle it is in.

        >>> with Hindsight.open(repository) as shop:
        ...     shop.import_cycles()
        ()
        """
        from hindsight_neo4j.retrieval.cycles import import_cycles

        return import_cycles(self._sources())

    def _spent(self) -> dict[str, Usage]:
        with self._ledger() as ledger:
            return ledger.spent()

    def doctor(self, *, repair: bool = False) -> tuple[Check, ...]:
        """Return what is sound and what is not, of the installation and of the index.

        Args:
            repair: First remove what writers that were cut off have left behind, and make constraints and indexes that are
                missing. Nobody may ingest meanwhile. A damaged index itself is made again by `ingest`.
        """
        mended = (_checked("repair", self._repair),) if repair else ()
        return mended + tuple(
            _checked(name, look)
            for name, look in (
                ("grammars", _grammars),
                ("templates", lambda: f"{len(_catalogue())} are sound"),
                ("index", self._look_at_index),
                ("graph", self._look_at_graph),
                ("text", self._look_at_text),
                ("leftovers", self._look_for_leftovers),
            )
        )

    def export(self, output: Path | TextIO) -> tuple[int, int]:
        """Write the graph as JSON Lines and return the numbers of nodes and edges.

        Args:
            output: A file, replaced only once all is written, or an open stream.
        """
        from hindsight_neo4j.export.jsonl import write_jsonl, writing

        catalogue = _catalogue()
        nodes, edges = catalogue.get("audit/export_nodes"), catalogue.get("audit/export_edges")
        with writing(output) as out:
            return write_jsonl(self._graph(), self._current().stored, nodes, edges, out)

    def export_neo4j_csv(self, folder: Path) -> tuple[int, int]:
        """Write the graph for `neo4j-admin database import`, and return the numbers of nodes and edges.

        Args:
            folder: Is made, with the files, the command and the schema in it.

        Raises:
            SettingsError: The folder holds something, or cannot be written.
        """
        from hindsight_neo4j.export.neo4j_csv import write_neo4j_csv
        from hindsight_neo4j.model.server import StoredSnapshot

        chosen, catalogue = self._current(), _catalogue()
        return write_neo4j_csv(
            self._graph(),
            StoredSnapshot(chosen.name, chosen.stored, "imported", chosen.version, chosen.created),
            catalogue.get("audit/export_nodes"),
            catalogue.get("audit/export_edges"),
            folder,
        )

    def forgettable(self) -> str:
        """Return what `forget` would delete, for people.

        Raises:
            StoreError: There is no index here, or a server does not answer.
        """
        if self._engines.on_servers:
            return f"{self.snapshot} at {self._engines.where}"
        return str(self.index)

    def forget(self) -> None:
        """Delete the index folder; where servers are used, their snapshot instead. The repository is not touched.

        Raises:
            StoreUnavailable: There is no index here, or a server does not answer.
            StoreBusy: Another process writes it.
        """
        if self._engines.on_servers:
            self._engines.forget(self._current().name)
            self.close()
            return
        self._folder.current()
        self.close()
        with self._folder.lock(wait_s=0):
            shutil.rmtree(self.index)

    @property
    def where(self) -> str:
        """Where the stores are: the index folder, or the addresses of servers."""
        return self._engines.where

    def _current(self) -> Chosen:
        return self._engines.choose(self._wanted)

    def _graph(self) -> GraphStore:
        return self._engines.graph(self._wanted)

    def _chunks(self) -> ChunkStore:
        return self._engines.chunks(self._wanted)

    def _sources(self, dense: bool | str = False) -> Sources:
        from hindsight_neo4j.retrieval.state import Sources

        chosen = self._current()
        encoder = self._fitting_encoder(dense) if dense else None
        return Sources(
            self._graph(), self._chunks(), _catalogue(), chosen.stored, chosen.name, encoder
        )

    @property
    def vector_model(self) -> str | None:
        """The model that the snapshot's vectors are of, with a digest of its weights; None where it has none."""
        return self._chunks().vector_model(self.snapshot)

    def _fitting_encoder(self, wanted: bool | str) -> Encoder:
        """Return the encoder that made the snapshot's vectors."""
        model = self.vector_model
        if model is None:
            raise SettingsError(
                f"{self.snapshot} has no vectors", hint="run hindsight-ingest PATH --dense"
            )
        if self._encoder is None or self._encoder.model != model:
            self._encoder = self._loaded(
                wanted if isinstance(wanted, str) else model.rpartition("@")[0]
            )
        if self._encoder.model != model:
            raise SettingsError(
                f"the vectors of {self.snapshot} are of {model}, not of {self._encoder.model}",
                hint="set HINDSIGHT_DENSE_MODEL to that one, or ingest again",
            )
        return self._encoder

    @staticmethod
    def _loaded(dense: bool | str) -> Encoder:
        from hindsight_neo4j.embedding import DEFAULT_MODEL, load_encoder

        return load_encoder(dense if isinstance(dense, str) else DEFAULT_MODEL)

    def _look_at_index(self) -> str:
        chosen = self._current()
        return f"{self.where} holds {chosen.name}, written {chosen.created}"

    def _look_at_graph(self) -> str:
        nodes, edges = self._graph().counts(self._current().stored)
        return f"{sum(nodes.values()):,} nodes and {sum(edges.values()):,} edges"

    def _look_at_text(self) -> str:
        said = f"{self._chunks().count(self.snapshot):,} chunks"
        return f"{said}, with vectors of {self.vector_model}" if self.vector_model else said

    def _look_for_leftovers(self) -> str:
        found = self._engines.left_over()
        if found:
            raise StoreError("; ".join(found), hint="hindsight doctor --repair mends that")
        return "nothing is lacking, nothing was left behind"

    def _repair(self) -> str:
        found = self._engines.left_over()
        self._engines.repair()
        return f"mended: {'; '.join(found)}" if found else "there was nothing to do"


def _ingest(
    root: Path,
    engines: Engines,
    options: IngestOptions,
    snapshot: str | None,
    evidence: EvidenceFiles | None,
    progress: Progress | None,
    *,
    encoder: Encoder | None = None,
    force: bool = False,
) -> IngestReport:
    from hindsight_neo4j.evidence import NO_EVIDENCE
    from hindsight_neo4j.ingest.pipeline import ingest
    from hindsight_neo4j.ingest.snapshot import repository_name

    with closing(engines):
        if engines.on_servers:
            engines.reach()
            if snapshot is None:
                snapshot = repository_name(root)
                engines.refuse_foreign(snapshot)
        report = ingest(
            root,
            engines.folder,
            options,
            open_graph=engines.write_graph,
            open_chunks=engines.write_chunks,
            snapshot=snapshot,
            evidence=evidence or NO_EVIDENCE,
            encoder=encoder,
            progress=progress,
            is_sound=lambda generation: not force and engines.is_sound(generation),
        )
        if not report.unchanged:
            engines.note_written(report.snapshot)
    return report


def _counted_only(
    root: Path,
    options: IngestOptions,
    snapshot: str | None,
    evidence: EvidenceFiles | None,
    progress: Progress | None,
) -> IngestReport:
    """Ingest into a folder that is thrown away: the counts are true, and nothing of the user's is written."""
    from hindsight_neo4j.engines import Engines
    from hindsight_neo4j.stores.index_folder import IndexFolder

    with TemporaryDirectory(prefix="hindsight-") as folder:
        engines = Engines(IndexFolder(Path(folder)), None, None)
        return _ingest(root, engines, options, snapshot, evidence, progress)


def export_lessons(
    files: Sequence[Path], folder: Path, *, evaluation: Sequence[Path] = (), most_tokens: int
) -> Exported:
    """Write the lessons of `files` as a training set into `folder` (`distillation.export`)."""
    from hindsight_neo4j.distillation import export, read_lessons
    from hindsight_neo4j.retrieval.budget import count_tokens

    return export(
        read_lessons(files),
        folder,
        count=count_tokens,
        evaluation=evaluation,
        most_tokens=most_tokens,
    )


def _takes_part(model: object, mode: Mode | None) -> bool:
    """Whether a model answers: one is there, or a mode asks for one, and the mode is not offline."""
    return mode is not Mode.OFFLINE and (model is not None or mode is not None)


def _ask_options(**chosen: Any) -> AskOptions:
    from hindsight_neo4j.retrieval.state import AskOptions

    return AskOptions(**{name: value for name, value in chosen.items() if value is not None})


@cache
def _catalogue() -> Catalogue:
    from hindsight_neo4j.resources import room
    from hindsight_neo4j.templates.catalogue import Catalogue

    return Catalogue.load(room("cypher"))


def _grammars() -> str:
    from hindsight_neo4j.languages.grammar import parser
    from hindsight_neo4j.languages.language import LanguageSet

    languages = list(LanguageSet.load())
    for language in languages:
        parser(language)
    return ", ".join(language.name for language in languages)


def _checked(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, look())
    except HindsightError as error:
        return Check(name, str(error), error.exit_code)
