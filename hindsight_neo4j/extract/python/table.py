"""What becomes of a node, by its kind."""

from __future__ import annotations

from functools import cache

from hindsight_neo4j.extract.python import (
    broken,
    definitions,
    imports,
    patterns,
    statements,
    strings,
    types,
    values,
)
from hindsight_neo4j.extract.python.walk import Kinds, Visit
from hindsight_neo4j.languages import grammar
from hindsight_neo4j.languages.language import Language

VISITS: dict[str, Visit | None] = {
    "module": statements.block,
    "block": statements.block,
    "ERROR": broken.error,
    "expression_statement": statements.expression_statement,
    "assignment": statements.assignment,
    "augmented_assignment": statements.augmented_assignment,
    "return_statement": statements.return_statement,
    "delete_statement": statements.delete,
    "for_statement": statements.for_statement,
    "with_statement": statements.with_statement,
    "except_clause": statements.except_clause,
    "as_pattern": statements.as_pattern,
    "global_statement": statements.global_statement,
    "nonlocal_statement": statements.nonlocal_statement,
    "pass_statement": statements.nothing,
    "break_statement": statements.nothing,
    "continue_statement": statements.nothing,
    "print_statement": statements.python2,
    "exec_statement": statements.python2,
    "if_statement": statements.parts,
    "while_statement": statements.parts,
    "try_statement": statements.parts,
    "raise_statement": statements.raised,
    "assert_statement": statements.parts,
    "match_statement": patterns.match_statement,
    "import_statement": imports.import_statement,
    "import_from_statement": imports.import_from,
    "future_import_statement": imports.import_from,
    "decorated_definition": definitions.decorated,
    "function_definition": definitions.definition,
    "class_definition": definitions.definition,
    "identifier": values.name,
    "dotted_name": patterns.dotted_name,
    "attribute": values.chain,
    "call": values.chain,
    "subscript": values.chain,
    "slice": values.slice_value,
    "integer": values.number,
    "float": values.number,
    "true": values.constant,
    "false": values.constant,
    "none": values.constant,
    "ellipsis": values.constant,
    "string": strings.string,
    "concatenated_string": strings.strings,
    "list": values.list_value,
    "set": values.list_value,
    "list_pattern": values.list_value,
    "tuple": values.tuple_value,
    "tuple_pattern": values.tuple_value,
    "expression_list": values.tuple_value,
    "pattern_list": values.tuple_value,
    "dictionary": values.mapping,
    "keyword_argument": values.keyword,
    "list_splat": values.spread,
    "list_splat_pattern": values.spread,
    "dictionary_splat": values.spread,
    "dictionary_splat_pattern": values.spread,
    "splat_type": values.spread,
    "parenthesized_expression": values.brackets,
    "parenthesized_list_splat": values.brackets,
    "conditional_expression": values.conditional,
    "boolean_operator": values.boolean,
    "binary_operator": values.binary,
    "comparison_operator": values.comparison,
    "not_operator": values.negation,
    "unary_operator": values.unary,
    "await": values.await_value,
    "yield": values.yield_value,
    "named_expression": values.walrus,
    "lambda": values.lambda_value,
    "list_comprehension": values.comprehension,
    "set_comprehension": values.comprehension,
    "dictionary_comprehension": values.comprehension,
    "generator_expression": values.comprehension,
    "type": types.annotation,
    "generic_type": types.generic,
    "union_type": types.union,
    "member_type": types.member,
    "type_alias_statement": statements.type_alias,
    "": None,  # tokens
    "comment": None,
    "line_continuation": None,
    "positional_separator": None,
    "keyword_separator": None,
    "type_conversion": None,
    "string_start": None,
    "string_content": None,
    "string_end": None,
    "escape_sequence": None,
    "escape_interpolation": None,
}
"""By the name of the kind. A kind that is absent is walked through, so a newer grammar loses nothing but its meaning."""


@cache
def kinds_of(language: Language) -> Kinds:
    """Return the table of the installed grammar.

    Raises:
        LanguageError: The grammar does not load.
    """
    names = grammar.kinds(language)

    def ids(*wanted: str) -> frozenset[int]:
        return frozenset(kind for kind, name in names.items() if name in wanted)

    def one(name: str) -> int:
        (kind,) = ids(name)
        return kind

    return Kinds(
        visits=[
            VISITS.get(names[kind], statements.parts) if kind in names else None
            for kind in range(max(names) + 1)
        ],
        identifier=one("identifier"),
        attribute=one("attribute"),
        call=one("call"),
        assignment=one("assignment"),
        string=one("string"),
        type=one("type"),
        argument_list=one("argument_list"),
        parameters=one("parameters"),
        type_parameters=one("type_parameter"),
        positional_separator=one("positional_separator"),
        keyword_separator=one("keyword_separator"),
        expression_statement=one("expression_statement"),
        decorator=one("decorator"),
        comment=one("comment"),
        class_word=grammar.token(language, "class"),
        async_word=grammar.token(language, "async"),
        chain=ids("attribute", "call", "subscript"),
        boolean=ids("boolean_operator"),
        binary=ids("binary_operator"),
        blocks=ids("block"),
        branching=ids(
            "if_statement", "for_statement", "while_statement", "try_statement", "match_statement"
        ),
        definitions=ids("function_definition", "class_definition"),
        statements=ids(*(name for name in VISITS if name.endswith(("_statement", "_definition")))),
        brackets=ids("parenthesized_expression"),
        wrappers=ids("parenthesized_expression", "list_splat_pattern", "list_splat"),
        sequences=ids(
            "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list"
        ),
        starred=ids("list_splat_pattern", "list_splat"),
        splats=ids("list_splat_pattern", "dictionary_splat_pattern"),
        parameter_forms=ids(
            "default_parameter",
            "typed_parameter",
            "typed_default_parameter",
            "list_splat_pattern",
            "dictionary_splat_pattern",
            "tuple_pattern",
        ),
        extras=ids("comment", "line_continuation"),
    )
