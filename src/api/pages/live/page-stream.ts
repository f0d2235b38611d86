import { isDeepStrictEqual } from "node:util";
import { visibleProjects } from "../../../domain/access/identity/visible-projects.sql.ts";
import { type Change, readChanges } from "../../../domain/events/changes.sql.ts";
import type { InWorkspace, WithCredential } from "../../../domain/kernel/context.ts";
import { firstIdAt } from "../../../domain/kernel/ids.ts";
import type { Principal } from "../../../domain/kernel/principal.ts";
import { type Watching, watchAccess } from "../../streams/access-watch.ts";
import type { EventStream, Feeder } from "../../streams/event-stream.ts";
import { frame } from "../../streams/frames.ts";
import { concerns, type Live, type Seeing } from "./concerns.ts";
import { type Following, follow, type Reader } from "./topic.ts";

/** Tells an open page that something changed of what it shows. It never says what: the page is loaded again. */

const CHANGED = frame("changed", {});
/** Events that are stored later than they happened: a page may have been made between the two. */
const SLACK_MS = 2_000;
const MOST = 300;
/** How often a check that could not be made is made again before the client has to connect again. */
const RETRIES = 10;
const RETRY_MS = 1_000;

export type About = Live & {
  /** When the page was made. */
  since: Date;
  /** Returns the person with the rights that they have now. Null if they may no longer see what the page shows. */
  check: () => Promise<Principal | null>;
};

export class PageStream implements Reader, Feeder {
  readonly userId: string;
  readonly #stream: EventStream;
  readonly #ctx: Pick<InWorkspace, "db" | "log" | "workspace">;
  readonly #about: About;
  /** Null until the person's rights were checked. */
  #seeing: Seeing | null = null;
  #isChecking = false;
  #isCheckDue = false;
  #isChanged = false;
  /** Redis is asked for changes, and for changes of rights. */
  #awaited = 2;
  readonly #following: Following;
  readonly #watching: Watching;

  constructor(stream: EventStream, ctx: InWorkspace & WithCredential, about: About) {
    const { db, log, workspace, principal } = ctx;
    this.userId = principal.user_id;
    this.#stream = stream;
    this.#ctx = { db, log, workspace };
    this.#about = about;
    const listening = () => this.listening();
    this.#following = follow(ctx, this);
    this.#watching = watchAccess(ctx, { check: () => this.#check(), listening }, { isByKey: false });
  }

  stop(): void {
    this.#following.stop();
    this.#watching.stop();
  }

  listening(): void {
    if (--this.#awaited === 0) this.#check();
  }

  hear(changes: readonly Change[]): void {
    // What happens before the first check, the check reads.
    if (this.#seeing === null) return;
    if (changes.some((change) => this.#concerns(change))) this.#changed();
  }

  unsure(): void {
    if (this.#seeing !== null) this.#changed();
  }

  /** What a person does on a page is done when the next page is made. */
  #concerns(change: Change): boolean {
    const { since } = this.#about;
    const isOwn = change.actor_id === this.userId;
    const from = firstIdAt(isOwn ? since : new Date(since.getTime() - SLACK_MS));
    return change.id >= from && concerns(change, this.#about, this.#seeing!);
  }

  /** What is heard while the person's rights are checked waits for the answer. */
  #changed(): void {
    if (this.#isChecking) this.#isChanged = true;
    else this.#following.takeTurn();
  }

  yourTurn(): void {
    this.#stream.push(CHANGED);
  }

  #check(): void {
    this.#isCheckDue = true;
    if (!this.#isChecking) void this.#checkAll();
  }

  async #checkAll(): Promise<void> {
    this.#isChecking = true;
    for (let failures = 0; this.#isCheckDue && !this.#stream.hasEnded; ) {
      this.#isCheckDue = false;
      try {
        await this.#checkOnce();
      } catch (error) {
        this.#ctx.log.warn({ err: error }, "the reader of a page could not be checked");
        if (++failures > RETRIES) this.#stream.close();
        this.#isCheckDue = true;
        await new Promise((done) => setTimeout(done, RETRY_MS).unref());
      }
    }
    this.#isChecking = false;
    if (this.#isChanged) this.#following.takeTurn();
    this.#isChanged = false;
  }

  async #checkOnce(): Promise<void> {
    const principal = await this.#about.check();
    if (!principal) return this.#stream.end("no_access");
    const { db, workspace } = this.#ctx;
    const before = this.#seeing;
    const projects = this.#about.project ? null : await visibleProjects(db, workspace.id, principal);
    this.#seeing = { principal, projects };
    if (before !== null) {
      // The page may show what the person must not see any more.
      if (!seesTheSame(before, this.#seeing)) this.#isChanged = true;
      return;
    }
    const since = firstIdAt(new Date(this.#about.since.getTime() - SLACK_MS));
    const changes = await readChanges(db, workspace.id, since, MOST);
    this.#stream.push(frame("stream.ready", {}));
    if (changes.length === MOST) this.unsure();
    else this.hear(changes);
  }
}

const seesTheSame = (one: Seeing, other: Seeing): boolean =>
  one.principal.role === other.principal.role && isDeepStrictEqual(one.projects, other.projects);
