import type { Category } from "../../../domain/kernel/categories.ts";

/** Boards to begin with. A template is nothing but columns; all of them can be changed later. */

type Column = { name: string; category: Category; color: string };
export type Template = { id: string; label: string; hint: string; columns?: readonly Column[] };

const GREY = "#94a3b8";
const BLUE = "#3b82f6";
const AMBER = "#f59e0b";
const PURPLE = "#8b5cf6";
const GREEN = "#22c55e";
const DARK = "#64748b";

const todo = (name: string): Column => ({ name, category: "todo", color: BLUE });
const doing = (name: string): Column => ({ name, category: "in_progress", color: AMBER });
const review = (name: string): Column => ({ name, category: "in_review", color: PURPLE });
const done = (name: string): Column => ({ name, category: "done", color: GREEN });
const waiting = (name: string): Column => ({ name, category: "backlog", color: GREY });
const dropped = (name: string): Column => ({ name, category: "cancelled", color: DARK });

export const TEMPLATES: readonly [Template, ...Template[]] = [
  {
    id: "software",
    label: "Software",
    hint: "Backlog, To Do, In Progress, In Review, Done and Cancelled. For work in sprints.",
  },
  {
    id: "simple",
    label: "Simple board",
    hint: "To do, Doing and Done.",
    columns: [todo("To do"), doing("Doing"), done("Done")],
  },
  {
    id: "support",
    label: "Requests and bugs",
    hint: "New, Accepted, In work, Waiting for reply, Solved and Declined.",
    columns: [
      waiting("New"),
      todo("Accepted"),
      doing("In work"),
      review("Waiting for reply"),
      done("Solved"),
      dropped("Declined"),
    ],
  },
  {
    id: "content",
    label: "Texts and campaigns",
    hint: "Ideas, Planned, Writing, Editing, Published and Dropped.",
    columns: [
      waiting("Ideas"),
      todo("Planned"),
      doing("Writing"),
      review("Editing"),
      done("Published"),
      dropped("Dropped"),
    ],
  },
];
