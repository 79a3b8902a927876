"""A mouse, a pen and a finger in Chromium: real events, as the browser gets them from the system."""

from tests.browser.gestures import SCRIPTS, Hand

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Chromium(Hand):
    """What both have in common: a page of Playwright's, and a way to speak to the browser below it."""

    def __init__(self, page):
        self.page = page
        self.client = page.context.new_cdp_session(page)
        for script in SCRIPTS:
            page.evaluate(script.read_text(encoding="utf-8"))

    def run(self, function, argument):
        return self.page.evaluate(function, argument)

    def settle(self):
        self.page.evaluate(FRAMES)

    def key(self, name):
        self.page.keyboard.press(name)

    def leave(self):
        self.client.detach()


class Mouse(Chromium):
    def down(self, x, y):
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x, y):
        self.page.mouse.move(x, y)

    def up(self):
        self.page.mouse.up()


class Finger(Chromium):
    """A finger on the screen, perhaps with a second one. The browser decides itself between a drag and a scroll."""

    finger = scrolls = True

    def __init__(self, page):
        super().__init__(page)
        self.points = []

    def send(self, kind):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(self.points)]
        self.client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, x, y):
        self.points = [(x, y)]
        self.send("touchStart")

    def move(self, x, y):
        if self.points:  # else there is no finger
            self.points[0] = (x, y)
            self.send("touchMove")

    def up(self):
        self.points = []
        self.send("touchEnd")

    def second(self, x, y):
        new = len(self.points) < 2
        self.points[1:] = [(x, y)]
        self.send("touchStart" if new else "touchMove")

    def second_up(self):
        self.points = self.points[:1]
        self.send("touchEnd")

    def cancel(self):
        self.points = []
        self.send("touchCancel")


class Pen(Chromium):
    """A pen, or a mouse that says it is one."""

    def send(self, kind, **more):
        event = {"type": kind, "x": self.at[0], "y": self.at[1], "pointerType": "pen", **more}
        self.client.send("Input.dispatchMouseEvent", event)

    def down(self, x, y):
        self.at = (x, y)
        self.send("mouseMoved")
        self.send("mousePressed", button="left", buttons=1, clickCount=1)
        self.pressed = 1

    def move(self, x, y):
        self.at = (x, y)
        self.send("mouseMoved", button="left" if self.pressed else "none", buttons=self.pressed)

    def up(self):
        self.pressed = 0
        self.send("mouseReleased", button="left", buttons=0, clickCount=1)
