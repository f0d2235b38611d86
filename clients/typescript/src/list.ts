import type { Reply } from "./call.ts";
import { MusterConnectionError } from "./problem.ts";

export type Page<Row> = Reply<Row[]> & {
  /** Pass it as `cursor` to go on after this page, also later. `null` after the last page. */
  nextCursor: string | null;
};

/**
 * The rows of a list. `for await` walks all of them and fetches a page when its first row is needed; `await` gives one
 * page. Nothing is sent before.
 */
export class List<Row> implements AsyncIterable<Row>, PromiseLike<Page<Row>> {
  readonly #fetch: (cursor: string | undefined) => Promise<Page<Row>>;
  readonly #start: string | undefined;

  /** @param start the cursor of the first page */
  constructor(fetch: (cursor: string | undefined) => Promise<Page<Row>>, start?: string) {
    this.#fetch = fetch;
    this.#start = start;
  }

  /** The first page, or the one at the query's `cursor`. */
  page(): Promise<Page<Row>> {
    return this.#fetch(this.#start);
  }

  /** All pages, each fetched when it is needed. @throws MusterConnectionError if the pages go round in a circle */
  async *pages(): AsyncGenerator<Page<Row>, void, undefined> {
    let cursor = this.#start;
    for (;;) {
      const page = await this.#fetch(cursor);
      yield page;
      if (page.nextCursor === null) return;
      if (page.nextCursor === cursor) {
        const message = "The reply has the cursor of its own page as the next one, so the list would never end.";
        throw new MusterConnectionError(message, { cause: undefined, idempotencyKey: null });
      }
      cursor = page.nextCursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` gives one page
  then<Result = Page<Row>, Other = never>(
    onDone?: ((page: Page<Row>) => Result | PromiseLike<Result>) | null,
    onFailed?: ((reason: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Result | Other> {
    return this.page().then(onDone, onFailed);
  }
}
