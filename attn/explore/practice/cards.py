"""Recall cards: say the answer, look, and let a card come again after growing intervals."""

import textwrap
from types import ModuleType
from typing import Any

import traitlets

from attn.explore._base import Explorable, Figure
from attn.practice.cards import chapters, deck


class Cards(Explorable):
    """The recall cards of a chapter, or those of the whole book that are due.

    The reader's device keeps what she knew (``js/draw/kept.js``), so no trait holds it.

    Parameters
    ----------
    chapter : str
        The chapter's digit; "" for all chapters, of which a round then takes the cards that are due.

    Raises
    ------
    ValueError
        If there are no cards of that chapter.
    """

    chapter = traitlets.Unicode("").tag(sync=True, state=False)
    cards = traitlets.List(traitlets.Dict()).tag(sync=True, state=False)

    def __init__(self, chapter: str = "", **kwargs: Any) -> None:
        kwargs.pop("cards", None)
        keys = ("name", "asks", "answer", "chapter", "page")
        made = [{key: getattr(card, key) for key in keys} for card in deck(chapter)]
        super().__init__(chapter=chapter, cards=made, **kwargs)

    @classmethod
    def exercises(cls) -> list[dict[str, str]]:
        """Return all cards, as the page *Practice* lists exercises.

        Returns
        -------
        list of dict
            ``name``, ``title``, ``chapter`` (its digit) and ``kind``, which is "card".
        """
        return [
            {"name": card.name, "title": card.asks, "chapter": card.chapter, "kind": "card"}
            for chapter in chapters()
            for card in deck(chapter)
        ]

    def limits(self) -> dict[str, list | None]:
        return {"chapter": None, "cards": None}

    def __repr__(self) -> str:
        return f"<Cards: {len(self.cards)} of {f'chapter {self.chapter}' if self.chapter else 'the book'}>"

    def alt_text(self) -> str:
        of = f"of chapter {self.chapter}" if self.chapter else "of the whole book"
        first = " ".join(card["asks"] for card in self.cards[:12])
        return f"{len(self.cards)} recall cards {of}. {'They ask' if len(self.cards) <= 12 else 'They begin'}: {first}"

    def draw_fallback(self, figure: Figure, plots: ModuleType) -> None:
        shown = self.cards[:12]
        lines = [
            line
            for number, card in enumerate(shown, 1)
            for line in textwrap.wrap(
                f"{number}. {card['asks']}".replace("`", "").replace("*", "").replace("$", r"\$"),
                66,
                subsequent_indent="    ",
            )
        ]
        if len(shown) < len(self.cards):
            lines.append(f"… and {len(self.cards) - len(shown)} more")
        figure.set_size_inches(6.4, 0.4 + 0.27 * len(lines))
        figure.text(0.03, 0.5, "\n".join(lines), va="center", fontsize=11, linespacing=1.6)
