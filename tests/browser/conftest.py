"""A real Chromium, a real server, and people who open their invitation links."""

from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from support.delayed_scripts import delay_script
from support.parts import CHROMIUM
from support.servers import PATIENCE
from support.sites import ARGUMENTS, Site

sync_api = pytest.importorskip("playwright.sync_api")
sync_api.expect.set_options(timeout=1000 * PATIENCE)

REPORTS = """
window.policyReports = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.policyReports.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
});
"""


def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def chromium():
    """One browser for all tests of this folder."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def site(tmp_path_factory):
    """One server for the tests that leave it alone."""
    made = Site(tmp_path_factory.mktemp("site"))
    made.served.start()
    yield made
    made.served.stop()
    made.store.close()


@pytest.fixture(scope="package")
def any_mortal_site(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("mortal"))
    yield made
    if made.served.alive:
        made.served.stop()
    made.store.close()


@pytest.fixture
def mortal_site(any_mortal_site):
    """A server that a test may kill; the next one finds it alive again."""
    if not any_mortal_site.served.alive:
        any_mortal_site.served.start()
    return any_mortal_site


@pytest.fixture
def own_site(tmp_path):
    """A server of a test alone."""
    made = Site(tmp_path)
    made.served.start()
    yield made
    made.served.stop()
    made.store.close()


class Visits:
    """Opens pages, and keeps what went wrong on them."""

    def __init__(self, chromium):
        self.chromium = chromium
        self.contexts, self.pages, self.problems = [], [], []

    def context(self, **options):
        made = self.chromium.new_context(viewport=options.pop("viewport", {"width": 1280, "height": 800}), **options)
        made.set_default_timeout(1000 * PATIENCE)
        made.add_init_script(REPORTS)
        self.contexts.append(made)
        return made

    def open(self, address, context=None, **options):
        page = (context or self.context(**options)).new_page()
        self.watch(page, urlsplit(address).netloc)
        page.goto(address)
        return page

    def watch(self, page, host):
        self.pages.append(page)
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("request", lambda request: self._request(request.url, host))

    def _request(self, url, host):
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != host:
            self.problems.append(f"request to {url}")

    def reports(self):
        """What the content policy had to stop on the pages that are open."""
        return [report for page in self.pages if not page.is_closed() for report in page.evaluate("policyReports")]

    def close(self):
        for context in self.contexts:
            context.close()


@pytest.fixture
def visits(chromium):
    """Pages that must raise no dialog, no script error, no report of the policy, no request elsewhere."""
    made = Visits(chromium)
    yield made
    reports = made.reports()
    made.close()
    assert made.problems == []
    assert reports == []


@pytest.fixture
def open_before(site, visits):
    """Open a page before its script has come: ``page, release = open_before("desk.js", visitor, url)``.

    It is opened with the visitor's session in a browser that has nothing loaded yet.
    """
    with ExitStack() as servers:

        def opened(script, visitor, url):
            address, release = servers.enter_context(delay_script(site, script))
            page = visits.context(storage_state=visitor.context.storage_state()).new_page()
            visits.watch(page, urlsplit(address(url)).netloc)
            page.goto(address(url), wait_until="commit")
            return page, release

        yield opened


@pytest.fixture
def judge(site, visits):
    """Open a coder's page: ``page = judge(campaign, "anna")``."""

    def opened(campaign, who="anna", **options):
        page = visits.open(site.link(campaign, who), **options)
        sync_api.expect(page.locator("#page--count")).to_contain_text(" of ")
        return page

    return opened


@pytest.fixture
def run(tmp_path, monkeypatch, concur):
    """A command that must do, in the folder of the test."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        done = concur(*arguments)
        assert done.code == 0, done.err
        return done

    return command
