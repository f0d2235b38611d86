import type { Markdown } from "./token.ts";

/** Makes a Markdown parser read task lists: `- [ ] open` and `- [x] done`. The item's token gets `meta.task`. */
export function markTasks(markdown: Markdown): void {
  // Before the texts are parsed, because `[x]` may also be a reference.
  markdown.core.ruler.before("inline", "tasks", ({ tokens }) => {
    for (const [at, item] of tokens.entries()) {
      const text = tokens[at + 2];
      if (item.type !== "list_item_open" || tokens[at + 1]?.type !== "paragraph_open" || text?.type !== "inline")
        continue;
      const [, mark] = TASK.exec(text.content.slice(0, 4)) ?? [];
      if (!mark) continue;
      item.meta = { task: mark === " " ? "open" : "done" };
      text.content = text.content.slice(4);
    }
  });
}

const TASK = /^\[([ xX])\][ \t]$/;
