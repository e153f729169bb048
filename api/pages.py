"""Plain pages: what this is, its routes, its problems. They load nothing from anywhere, so they read the same offline."""

from html import escape
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response

from api.problems import CODES, Raised
from api.schemas import as_json

__all__ = ["add_pages"]

_STYLE = (
    "body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #14181c; background: #fdfdfb; }"
    " code, pre { font: 14px monospace; } pre { overflow-x: auto; } h2 { margin-top: 2em; } dd { margin: 0 0 0.5em 2em; }"
    " a { color: #1f5f9e; } .method { display: inline-block; min-width: 3.5em; font-weight: bold; }"
    " @media (prefers-color-scheme: dark) { body { color: #f1efe8; background: #15191d; } a { color: #8cc0f0; } }"
)
_WHERE = (
    ("/docs", "every route, with its parameters, bodies and an example"),
    ("/openapi.json", "the same for programs, with the schema of every command and fact"),
    ("/rules", "the rule sets that live here"),
    ("/games", "the games of this store"),
    ("/problems", "what each problem code means"),
)


def add_pages(app: FastAPI) -> None:
    """Add the routes."""

    @app.get("/", summary="What this is, and where to go")
    def door(request: Request) -> Response:
        if "text/html" not in request.headers.get("accept", ""):
            return as_json({"service": app.title, "summary": app.summary, "see": dict(_WHERE)})
        said = "".join(
            f'<dt><a href="{path}">{path}</a></dt><dd>{escape(what)}</dd>' for path, what in _WHERE
        )
        return _page(app.title, f"<p>{escape(app.summary or '')}</p><dl>{said}</dl>")

    @app.get("/docs", summary="This description as a page", include_in_schema=False)
    def docs() -> Response:
        return _page(f"{app.title}: the routes", _described(app.openapi()))

    @app.get("/problems", summary="Every problem code and what it means")
    def problems() -> Response:
        return as_json(CODES)

    @app.get("/problems/{code}", summary="What a problem code means")
    def one_problem(code: str) -> Response:
        if code not in CODES:
            raise Raised(404, "no_such_problem", f"No problem is called {code!r}; /problems lists them.")
        return as_json({"code": code, "title": CODES[code]})


def _page(title: str, body: str) -> Response:
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    held = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>{body}</html>\n"
    )
    return Response(held, media_type="text/html", headers={"Content-Security-Policy": policy})


def _described(schema: dict[str, Any]) -> str:
    shapes = schema["components"]["schemas"]
    routes = "".join(
        _route(method, path, route, shapes)
        for path, methods in schema["paths"].items()
        for method, route in methods.items()
    )
    codes = "".join(f"<dt><code>{code}</code></dt><dd>{escape(what)}</dd>" for code, what in CODES.items())
    kinds = "".join(
        f"<details><summary><code>{escape(name)}</code></summary><pre>{escape(_pretty(shape))}</pre></details>"
        for name, shape in sorted(shapes.items())
    )
    return (
        "<p>Commands and reads go in the name of a seat: <code>Authorization: Bearer &lt;token&gt;</code>. Without a token "
        "one reads as a spectator. Bodies are JSON, announced by <code>Content-Type: application/json</code>. What goes "
        "wrong is answered as <code>application/problem+json</code> (RFC 9457), with a <code>code</code>.</p>"
        f"<h2>Routes</h2>{routes}<h2>Problems</h2><dl>{codes}</dl><h2>Shapes</h2>{kinds}"
    )


def _route(method: str, path: str, route: dict[str, Any], shapes: dict[str, Any]) -> str:
    rows = [
        (held["name"], held["in"], held.get("required", False), held.get("description", ""))
        for held in route.get("parameters", ())
    ]
    shape = _shape(route.get("requestBody", {}), shapes)
    rows += [
        (name, "body", name in shape.get("required", ()), _about(held))
        for name, held in shape.get("properties", {}).items()
    ]
    answer = (_shape(held, shapes) for status, held in route["responses"].items() if status.startswith("2"))
    rows += [
        (name, "answer", True, _about(held))
        for shape in answer
        for name, held in shape.get("properties", {}).items()
    ]
    listed = "".join(
        f"<dt><code>{escape(name)}</code> ({escape(where)}{'' if owed else ', may be left out'})</dt><dd>{escape(what)}</dd>"
        for name, where, owed, what in rows
    )
    return (
        f'<h3><span class="method">{method.upper()}</span> <code>{escape(path)}</code></h3>'
        f"<p>{escape(route.get('summary', ''))}.</p><dl>{listed}</dl>"
    )


def _shape(held: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """Return the named shape of a body or of an answer; nothing where it has none."""
    schema = held.get("content", {}).get("application/json", {}).get("schema", {})
    shape: dict[str, Any] = shapes.get(schema.get("$ref", "").rpartition("/")[2], {})
    return shape


def _about(held: dict[str, Any]) -> str:
    shown = held.get("examples") or []
    example = f" For example: {msgspec.json.encode(shown[0]).decode()}" if shown else ""
    return f"{held.get('description', '')}{example}".strip()


def _pretty(shape: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(shape), indent=2).decode()
