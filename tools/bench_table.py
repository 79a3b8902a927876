"""What every measurement is printed as."""

from dataclasses import dataclass, field


@dataclass
class Table:
    title: str
    columns: list
    rows: list = field(default_factory=list)
    note: str = ""

    def __str__(self):
        cells = [self.columns, *self.rows]
        cells = [[cell if isinstance(cell, str) else f"{cell:.3g}" for cell in row] for row in cells]
        widths = [max(len(row[column]) for row in cells) for column in range(len(self.columns))]
        lines = [
            "| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |"
            for row in cells
        ]
        lines.insert(1, "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|")
        return "\n".join([f"### {self.title}", "", *lines, *(["", self.note] if self.note else [])])
