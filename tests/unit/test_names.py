"""Every public class and function has a name of its own in the whole source."""

import ast
from collections import defaultdict
from pathlib import Path

import concurrence

SOURCE = Path(concurrence.__file__).parent


def definitions():
    """The modules that define each public name, private modules and names left out."""
    homes = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith(
                "_"
            ):
                homes[node.name].append(module)
    return homes


def is_contract(name, modules):
    """Commands and migrations are found by one name that each of them defines."""
    return (name == "command" and all(one.startswith("cli.commands.") for one in modules)) or (
        name == "upgrade" and all(".migrations.versions." in one for one in modules)
    )


def test_a_name_means_one_thing():
    """A verb may have its function in api and its namesake in one room: both are the same act."""
    twice = {}
    for name, modules in definitions().items():
        rooms = [one for one in modules if not one.startswith("api.")]
        if len(modules) - len(rooms) > 1 or (len(rooms) > 1 and not is_contract(name, rooms)):
            twice[name] = modules
    assert twice == {}


def test_no_package_has_the_name_of_a_public_verb():
    """Importing the package would put it in the place of the function."""
    packages = {path.name for path in SOURCE.iterdir() if path.is_dir()}
    assert not packages & set(concurrence.__all__)


def test_no_verb_stands_outside_of_api():
    assert {path.name for path in SOURCE.glob("*.py")} == {"__init__.py", "__main__.py", "_version.py"}
