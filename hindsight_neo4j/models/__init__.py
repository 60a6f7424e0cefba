"""Language models: one seam (`Talk`) in front of any `langchain_core` chat model, ours or a caller's.

    chat.py       the only importer of langchain_core: our chat model over an endpoint, and how any is called
    endpoint.py   the only importer of openai: one OpenAI-compatible server
    ledger.py     the cache of replies and the sum of what they took, in one SQLite file
    talk.py       limits, cache and usage around one model
    shape.py      replies of a given shape: schema, reading, repair

Nothing here is imported, and nothing leaves the machine, unless a model is set.
"""
