"""Which servers and models to use, and how to enter them: each value with its origin.

A flag wins over the environment, the environment over the user's file, the file over the default:

    hindsight ask "..." --graph bolt://localhost:7687
    HINDSIGHT_GRAPH=bolt://localhost:7687  HINDSIGHT_GRAPH_PASSWORD=...
    ~/.config/hindsight-neo4j/config.toml:  [graph]  address = "bolt://localhost:7687"

A model is set in the same ways: `--model`, HINDSIGHT_MODEL, or `name` of the table [model]. So are vectors: `--dense`,
HINDSIGHT_DENSE=true, or `use = true` of the table [dense], with `model` for one of your own.

No file of a repository is read: one that is not trusted could send passwords and code to a server of its choice.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path

from hindsight_neo4j.errors import SettingsError
from hindsight_neo4j.model.exchange import OPENAI, ModelOptions
from hindsight_neo4j.model.server import GRAPH_USER, TEXT_USER, GraphServer, TextServer
from hindsight_neo4j.settings import MODEL_READERS, model_options

LOCAL: Final = "local"
"""Given as an address, it means the index folder, whatever the environment and the file say."""

APPLICATION: Final = "hindsight-neo4j"
FILE_VARIABLE: Final = "HINDSIGHT_CONFIG"

OPENAI_KEY: Final = "OPENAI_API_KEY"
"""The variable of OpenAI's own key, which is sent to OpenAI and nowhere else."""

DEFAULT: Final = "default"
PROMPT: Final = "prompt"
"""Origins that are no flag, variable or file."""

SECRETS: Final = frozenset({"graph.password", "text.password", "text.api_key", "model.api_key"})
"""Never in the user's file, never on the command line, never shown. Each may lie in a file of its own."""

NAMES: Final = (
    "graph.address",
    "graph.user",
    "graph.password",
    "graph.database",
    "graph.ca",
    "text.address",
    "text.user",
    "text.password",
    "text.api_key",
    "text.ca",
    "text.verify",
    "model.name",
    "model.url",
    "model.api_key",
    *(f"model.{field}" for field in MODEL_READERS),
    "dense.use",
    "dense.model",
)
_DEFAULTS: Final[dict[str, str | bool]] = {
    "graph.address": LOCAL,
    "text.address": LOCAL,
    "text.verify": True,
    "dense.use": False,
    "model.url": OPENAI,
    **{
        f"model.{field.name}": str(field.default)
        for field in fields(ModelOptions)
        if field.name in MODEL_READERS and field.default is not None
    },
}
_USERS: Final = {"graph": GRAPH_USER, "text": TEXT_USER}
_SWITCHES: Final = frozenset({"text.verify", "dense.use"})
"""Settings that are true or false."""

_UNNAMED: Final = ("address", "name", "use")
"""What flag and variable of a section mean without saying it: `--graph` is its address."""

_BOOLEANS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True, slots=True)
class Setting:
    """One value, and where it is from. `shown` is the value, or that there is one."""

    name: str
    value: str | bool | None
    origin: str

    @property
    def shown(self) -> str:
        """The value as it may be seen by anybody."""
        if self.value is None:
            return "(asked for on a terminal)" if self.origin == PROMPT else ""
        return "(set)" if self.name in SECRETS else str(self.value)


@dataclass(frozen=True, slots=True)
class Connections:
    """The servers of a run. A store without one is in the index folder."""

    settings: tuple[Setting, ...]

    @classmethod
    def load(
        cls,
        flags: Mapping[str, str | None] | None = None,
        *,
        file: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> Connections:
        """Return what flags, environment and the user's file say together.

        Args:
            flags: Values by setting; None where a flag was not given.
            file: The file to read; None: that of HINDSIGHT_CONFIG, else the user's own if there is one.
            environment: The variables; None: those of this process.

        Raises:
            SettingsError: A file cannot be read, or holds what no setting is.
        """
        variables = os.environ if environment is None else environment
        path, origin = _file(file, variables)
        content = _read(path, is_asked_for=origin != DEFAULT)
        found = {name: _setting(name, flags or {}, variables, path, content) for name in NAMES}
        _complete(found, variables)
        return cls((Setting("config", str(path), origin), *found.values()))

    def asks_for(self, name: str) -> bool:
        """Say whether a person has to be asked for a secret."""
        return any(one.name == name and one.origin == PROMPT for one in self.settings)

    def with_secret(self, name: str, value: str) -> Connections:
        """Return these with a secret that a person was asked for."""
        return Connections(
            tuple(
                Setting(name, value, PROMPT) if one.name == name else one for one in self.settings
            )
        )

    @property
    def graph(self) -> GraphServer | None:
        """The server of the graph."""
        values = self._values("graph")
        return GraphServer(**values) if values["address"] not in (None, "", LOCAL) else None

    @property
    def text(self) -> TextServer | None:
        """The server of the chunks."""
        values = self._values("text")
        return TextServer(**values) if values["address"] not in (None, "", LOCAL) else None

    @property
    def model(self) -> ModelOptions | None:
        """The model that answers; None where none is set, and then nothing is sent anywhere.

        Raises:
            SettingsError: A setting of it holds what it cannot be.
        """
        return model_options(self._values("model"))

    @property
    def dense(self) -> bool | str:
        """Whether vectors are used; as text, the model that is to make them."""
        values = self._values("dense")
        return bool(values["use"]) and (values["model"] or True)

    def _values(self, section: str) -> dict[str, Any]:
        return {
            one.name.partition(".")[2]: one.value
            for one in self.settings
            if one.name.startswith(f"{section}.")
        }


def variable(name: str) -> str:
    """Return the environment variable of a setting.

    >>> variable("graph.address"), variable("text.api_key"), variable("model.name")
    ('HINDSIGHT_GRAPH', 'HINDSIGHT_TEXT_API_KEY', 'HINDSIGHT_MODEL')
    """
    section, _, key = name.partition(".")
    return f"HINDSIGHT_{section}{'' if key in _UNNAMED else '_' + key}".upper()


def user_file() -> Path:
    """Return where the user's own file is, or would be."""
    return user_config_path(APPLICATION) / "config.toml"


def _setting(
    name: str,
    flags: Mapping[str, str | None],
    variables: Mapping[str, str],
    path: Path,
    content: Mapping[str, Any],
) -> Setting:
    section, _, key = name.partition(".")
    if (value := flags.get(name)) is not None:
        flag = f"--{section}" if key in _UNNAMED else f"--{section}-{key}"
        return Setting(name, _typed(name, value, flag), flag)
    named = variable(name)
    if value := variables.get(named):
        return Setting(name, _typed(name, value, named), named)
    if name in SECRETS and (place := variables.get(f"{named}_FILE")):
        return Setting(name, _secret(Path(place), f"{named}_FILE"), f"{named}_FILE")
    table = content.get(section, {})
    if name in SECRETS and f"{key}_file" in table:
        beside = path.parent / Path(str(table[f"{key}_file"])).expanduser()
        return Setting(name, _secret(beside, str(path)), str(path))
    if key in table:
        return Setting(name, _typed(name, table[key], str(path)), str(path))
    return Setting(name, _DEFAULTS.get(name), DEFAULT)


def _complete(found: dict[str, Setting], variables: Mapping[str, str]) -> None:
    """Fill in what follows from other settings."""
    for section, user in _USERS.items():
        password = found[f"{section}.password"]
        has_key = section == "text" and found["text.api_key"].value is not None
        if found[f"{section}.user"].value is None:
            if password.value is not None:
                found[f"{section}.user"] = Setting(f"{section}.user", user, DEFAULT)
        elif password.value is None and not has_key:
            found[password.name] = Setting(password.name, None, PROMPT)
    is_openai = found["model.url"].value == OPENAI
    if is_openai and found["model.api_key"].value is None and (key := variables.get(OPENAI_KEY)):
        found["model.api_key"] = Setting("model.api_key", key, OPENAI_KEY)


def _typed(name: str, value: object, origin: str) -> str | bool:
    if name in _SWITCHES:
        if isinstance(value, bool):
            return value
        if str(value).lower() in _BOOLEANS:
            return _BOOLEANS[str(value).lower()]
        raise SettingsError(f"{origin}: {name} is {str(value)[:40]!r}", hint="give true or false")
    if name.startswith("model.") and isinstance(value, int | float):
        return str(value)
    if not isinstance(value, str):
        raise SettingsError(f"{origin}: {name} is {value!r:.40}", hint="give a string")
    return value


def _secret(path: Path, origin: str) -> str:
    try:
        return path.read_text("utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise SettingsError(f"{origin}: {path} cannot be read ({reason})") from error


def _file(file: Path | None, variables: Mapping[str, str]) -> tuple[Path, str]:
    """Return which file is read, and who says so."""
    if file is not None:
        return file, "--config"
    if place := variables.get(FILE_VARIABLE):
        return Path(place), FILE_VARIABLE
    return user_file(), DEFAULT


def _read(path: Path, *, is_asked_for: bool) -> Mapping[str, Any]:
    """Return what the file holds; one that was asked for must be there."""
    if not is_asked_for and not os.access(path.parent, os.X_OK):  # another user's home, or none
        return {}
    try:
        with path.open("rb") as opened:
            content = tomllib.load(opened)
    except FileNotFoundError:
        if not is_asked_for:
            return {}
        raise SettingsError(f"there is no file {path}", hint="--config takes a TOML file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path} cannot be read ({error})", hint="it must be TOML") from error
    _check(path, content)
    return content


def _check(path: Path, content: Mapping[str, Any]) -> None:
    known = {*NAMES, *(f"{name}_file" for name in SECRETS)}
    for section, table in content.items():
        if not isinstance(table, dict):
            raise SettingsError(
                f"{path}: {section} is no table",
                hint="write [graph], [text], [model] and [dense]",
            )
        for key in table:
            name = f"{section}.{key}"
            if name in SECRETS:
                raise SettingsError(
                    f"{path} holds {name}",
                    hint=f"put it into a file of its own and write {key}_file, or set {variable(name)}",
                )
            if name not in known:
                raise SettingsError(
                    f"{path}: there is no setting {name[:80]}",
                    hint=f"known: {', '.join(sorted(known - SECRETS))}",
                )
