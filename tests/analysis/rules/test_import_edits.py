"""What rules offer as fixes is valid in any style of file, keeps its comments and changes nothing else."""

import re

import pytest

from loader.edits import with_fixes
from loader.nouns import Fix
from tests.analysis.finding import findings

PLUGIN = "export default { id: 'demo', register() { useState(); used() } }\n"


def added(before: str) -> str:
    """The file with the import that HP501 offers for ``useState``."""
    fixes = [one.fix for one in findings("HP501", before + PLUGIN) if one.fix is not None]
    assert fixes, "no fix was offered"
    text, _ = with_fixes(before + PLUGIN, fixes)
    assert not [one for one in findings("HP501", text) if "useState" in one.message], text
    assert text.endswith(PLUGIN)
    return text.removesuffix(PLUGIN)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "import { useState } from 'react'\n"),
        ("// a header\n\n", "// a header\n\nimport { useState } from 'react'\n"),
        ("import { used } from 'react'\n", "import { used, useState } from 'react'\n"),
        ("import { used, } from 'react'\n", "import { used, useState, } from 'react'\n"),
        ("import used from 'react'\n", "import used, { useState } from 'react'\n"),
        ("import {} from 'react'\n", "import { useState } from 'react'\n"),
        ("import * as R from 'react'\n", "import * as R from 'react'\nimport { useState } from 'react'\n"),
        ('import { used } from "x";\n', 'import { used } from "x";\nimport { useState } from "react";\n'),
        ("import { used } from 'x'\r\n", "import { used } from 'x'\r\nimport { useState } from 'react'\r\n"),
        ("import{used}from'x';const b=1;\n", "import{used}from'x';\nimport { useState } from 'react';const b=1;\n"),
        ("import 'x' // why\n", "import 'x'\nimport { useState } from 'react' // why\n"),
        (
            "// hermes-ignore-file HP502: all\n// hermes-ignore HP601: this line\n",
            "// hermes-ignore-file HP502: all\nimport { useState } from 'react'\n// hermes-ignore HP601: this line\n",
        ),
        ("#!/usr/bin/env node\n", "#!/usr/bin/env node\nimport { useState } from 'react'\n"),
    ],
)
def test_a_name_is_imported_where_and_how_the_file_does_it(before: str, after: str) -> None:
    assert added(before) == after


def offered(text: str) -> list[Fix | None]:
    return [one.fix for one in findings("HP509", text)]


@pytest.mark.parametrize(
    "text",
    [
        "import { a, /* why b */ b } from 'react'\nb()\n",
        "import {\n  a,\n  // hermes-ignore HP206: tested below\n  b,\n} from 'react'\nb()\n",
        "import { a } /* c */ from 'react'\n",
        "const x = used\nimport { a } from 'react';\n(x)()\n",
        "const x = {}\nimport { a } from 'react'\n;(x)()\n",
        "let x = used\nimport { a } from 'react';\n`${x}`\n",
    ],
)
def test_nothing_is_offered_where_more_than_the_name_would_go(text: str) -> None:
    assert offered(text + PLUGIN) == [None]


@pytest.mark.parametrize(
    "text",
    [
        "const x = used;\nimport { a } from 'react';\n(x)()\n",
        "import { a } from 'react';\n(used)()\n",
        "// a comment\nimport { a } from 'react'\nused()\n",
        "import { a } from 'react' // about the import\n",
    ],
)
def test_what_stands_safely_beside_it_is_no_hindrance(text: str) -> None:
    (fix,) = offered(text + PLUGIN)
    assert fix is not None
    mended = with_fixes(text + PLUGIN, [fix])[0]
    assert offered(mended) == []
    assert re.sub(r"import \{ a \} from 'react';?\n?", "", text + PLUGIN) == mended
