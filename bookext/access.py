"""What Sphinx and its theme write that readers of a screen can't use, mended in the page's text and title."""

# The theme and docutils give citations a role that ARIA has dropped, in a list that then has no list items.
ROLES = [' role="doc-biblioentry"', ' role="list"']


def without_old_roles(body):
    """The page's body without roles that browsers do not know for these elements."""
    if "citation-list" in body:
        for role in ROLES:
            body = body.replace(role, "")
    return body


def mend(app, pagename, templatename, context, doctree):
    if context.get("body"):
        context["body"] = without_old_roles(context["body"])
    if context.get("title") == context.get("docstitle"):
        context["docstitle"] = ""  # the front page's name would be said twice


def setup(app):
    app.connect("html-page-context", mend, priority=910)
