import MarkdownIt from "markdown-it";
import { readId } from "../../../domain/kernel/ids.ts";
import { readElements } from "../../../domain/kernel/markdown-elements.ts";
import { placeFolds } from "../../../domain/kernel/markdown-folds.ts";
import { limitBlocks, limitNesting } from "../../../domain/kernel/markdown-limits.ts";
import { linkNames } from "../../../domain/kernel/markdown-names.ts";
import { own } from "../../../domain/kernel/own.ts";
import type { DocumentToRender } from "../../../domain/kernel/ports/document-renderer.ts";
import { checkAddresses } from "./addresses.ts";
import { markTasks } from "./tasks.ts";
import type { Markdown, Token } from "./token.ts";

/** An ordinary document of 500 KB has about 50,000 tokens. */
const LIMITS = { tokens: 200_000, cells: 40_000 };

/** The parser of exported documents. */
export const parser: Markdown = new MarkdownIt({ html: false, linkify: true })
  .use(linkNames)
  .use(markTasks)
  .use(limitMarkup)
  .use(limitNesting)
  .use(limitBlocks, LIMITS)
  .use(readElements)
  .use(checkAddresses)
  .use(({ core }) => {
    core.ruler.push("folds", (state) => {
      state.tokens = [...placeFolds(state.tokens)];
    });
  });

/** The tokens of a document. The pages of its issues are below that of the workspace. */
export function parseMarkdown({ markdown, workspaceUrl, as, names = {} }: Parsed): Token[] {
  return parser.parse(markdown, {
    // A project's page is also found by the project's key.
    issueUrl: (key: string) => `${workspaceUrl}/p/${key.slice(0, key.indexOf("-")).toLowerCase()}/${key}`,
    nameOf: (id: string, typed: string) => (as === "part" ? typed : (own(names, readId(id) ?? "") ?? null)),
    stepsLeft: MAX_STEPS,
  });
}

type Parsed = Pick<DocumentToRender, "markdown" | "workspaceUrl" | "as" | "names">;

/** Attempts to read markup at a position of a text. An ordinary document of 500 KB takes about 20,000. */
const MAX_STEPS = 400_000;

class TooMuchMarkup extends Error {}

/**
 * Text with extremely much markup stays plain. Half a million brackets are no link, but finding that out takes seconds.
 */
function limitMarkup(markdown: Markdown): void {
  markdown.inline.ruler.before("text", "count", (state) => {
    const limits = state.env as { stepsLeft: number };
    if (limits.stepsLeft-- <= 0) throw new TooMuchMarkup();
    return false;
  });
  markdown.core.ruler.at("inline", (state) => {
    for (const token of state.tokens) {
      if (token.type !== "inline") continue;
      token.children = [];
      try {
        markdown.inline.parse(token.content, markdown, state.env, token.children);
      } catch (error) {
        if (!(error instanceof TooMuchMarkup)) throw error;
        const text = new state.Token("text", "", 0);
        text.content = token.content.replaceAll("\n", " ");
        token.children = [text];
      }
    }
  });
}
