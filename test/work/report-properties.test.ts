import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { configure } from "../support/app.ts";
import { day, earlyEnough, pass } from "../support/history.ts";
import {
  change,
  forgetSums,
  inPoints,
  make,
  makeSprint,
  plan,
  report,
  sumUpSprints,
  tally,
} from "../support/reports.ts";
import type { World } from "../support/world.ts";

/**
 * A random history runs twice: in the service, and in a simple model that records the state of its sprints at the end
 * of each day. The reports of the service's history must match the model's records.
 */

beforeAll(earlyEnough, 120_000);
// These stories are longer than a restore may wait.
configure({ RESTORE_WINDOW_DAYS: "null" });

const STATUSES = ["todo", "in_progress", "done", "cancelled"] as const;
type Status = (typeof STATUSES)[number];
type Issue = {
  key: string;
  sprint: number | null;
  points: number;
  status: Status;
  archived: boolean;
  resolved?: number;
  made: number;
};
type Sums = { issues: number; points: number };
type Standing = Record<"scope" | "completed" | "remaining", Sums>;
type Sprint = {
  id: string;
  status: "planned" | "active" | "completed";
  began?: number;
  over?: number;
  /** The last to have begun wins. */
  turn: number;
  committed: Issue[] | null;
  /** In it at its end, with what they were then. */
  final: Issue[];
  days: Map<number, Standing>;
  ending?: Standing;
};

type Step =
  | { kind: "make"; sprint: number | null; points: number; status: Status }
  | { kind: "plan"; issue: number; sprint: number | null }
  | { kind: "estimate"; issue: number; points: number }
  | { kind: "move"; issue: number; status: Status }
  | { kind: "archive"; issue: number }
  | { kind: "start"; sprint: number }
  | { kind: "complete"; sprint: number; openGo: boolean }
  | { kind: "pass"; days: number };

const sprint = fc.nat({ max: 2 });
const maybe = fc.option(sprint, { freq: 4 });
const issue = fc.nat({ max: 50 });
const points = fc.nat({ max: 13 });
const status = fc.constantFrom(...STATUSES);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("make" as const), sprint: maybe, points, status }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("plan" as const), issue, sprint: maybe }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("estimate" as const), issue, points }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("move" as const), issue, status }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("archive" as const), issue }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("start" as const), sprint }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("complete" as const), sprint, openGo: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("pass" as const), days: fc.integer({ min: 1, max: 5 }) }) },
);

const isOpen = ({ status }: Pick<Issue, "status">) => status === "todo" || status === "in_progress";
const sumOf = (issues: Issue[]): Sums => ({
  issues: issues.length,
  points: issues.reduce((sum, { points }) => sum + points, 0),
});

/** The service and the model, side by side. */
class Story {
  readonly sprints: Sprint[] = [];
  readonly issues: Issue[] = [];
  today = 0;
  turns = 0;
  here!: World;

  within = (sprint: number) => this.issues.filter((issue) => issue.sprint === sprint && !issue.archived);

  standing(sprint: number): Standing {
    const within = this.within(sprint);
    const done = within.filter(({ status }) => status === "done");
    return { scope: sumOf(within), completed: sumOf(done), remaining: sumOf(within.filter(isOpen)) };
  }

  /** As every day ends, and the present one so far. */
  writeDown() {
    for (const [index, sprint] of this.sprints.entries()) sprint.days.set(this.today, this.standing(index));
  }

  async live(step: Step): Promise<void> {
    const { here, issues, sprints, today } = this;
    const idOf = (sprint: number | null) => (sprint === null ? null : sprints[sprint]!.id);
    const chosen = "issue" in step ? issues[step.issue % Math.max(1, issues.length)] : undefined;
    if (step.kind === "make") {
      const { points, status } = step;
      const sprint = isOpen(step) && this.isOver(step.sprint) ? null : step.sprint;
      const key = await make(here, { sprint_id: idOf(sprint), story_points: points, status });
      issues.push({ key, sprint, points, status, archived: false, made: today });
      if (status === "done" || status === "cancelled") issues.at(-1)!.resolved = today;
    } else if (step.kind === "start") await this.start(sprints[step.sprint]!, step.sprint);
    else if (step.kind === "complete") await this.complete(sprints[step.sprint]!, step.sprint, step.openGo);
    else if (step.kind === "pass") {
      this.writeDown();
      // Some steps are counted, and others move back with the days.
      await tally(here, step.days);
      if (step.days % 2 === 1) await sumUpSprints(here);
      await pass(here, step.days);
      // Nothing happens on the days between.
      for (let days = step.days; days > 0; days--) {
        this.today++;
        this.writeDown();
      }
    } else if (step.kind === "archive" && chosen) {
      await (chosen.archived
        ? here.owner.post(`P/issues/${chosen.key}/restore`).expect(200)
        : here.owner.delete(`P/issues/${chosen.key}`).expect(200));
      chosen.archived = !chosen.archived;
      if (!chosen.archived) this.leaveIfOver(chosen);
    } else if (chosen && !chosen.archived) await this.edit(step, chosen, idOf);
  }

  isOver = (sprint: number | null) => sprint !== null && this.sprints[sprint]!.status === "completed";

  /** Open issues do not come to a completed sprint. */
  leaveIfOver(issue: Issue) {
    if (isOpen(issue) && this.isOver(issue.sprint)) issue.sprint = null;
  }

  async edit(step: Step, issue: Issue, idOf: (sprint: number | null) => string | null) {
    if (step.kind === "plan") {
      if (isOpen(issue) && this.isOver(step.sprint) && step.sprint !== issue.sprint) return;
      await change(this.here, issue.key, { sprint_id: idOf(step.sprint) });
      issue.sprint = step.sprint;
    } else if (step.kind === "estimate") {
      await change(this.here, issue.key, { story_points: step.points });
      issue.points = step.points;
    } else if (step.kind === "move") {
      const wasOpen = isOpen(issue);
      await change(this.here, issue.key, { status: step.status });
      issue.status = step.status;
      if (!wasOpen) this.leaveIfOver(issue);
      if (isOpen(issue)) issue.resolved = undefined;
      else if (wasOpen) issue.resolved = this.today;
    }
  }

  async start(sprint: Sprint, index: number) {
    if (sprint.status === "active") return;
    await plan(this.here, sprint.id, { status: "active" });
    for (const other of this.sprints) if (other.status === "active") other.status = "planned";
    if (sprint.status === "completed") sprint.committed = null;
    Object.assign(sprint, { status: "active", over: undefined });
    sprint.committed ??= this.within(index).map((issue) => ({ ...issue }));
    if (sprint.began !== undefined) return;
    sprint.began = this.today;
    sprint.turn = ++this.turns;
  }

  /** Only what has begun is completed, so that the model needs no rule for others. */
  async complete(sprint: Sprint, index: number, openGo: boolean) {
    if (sprint.status === "completed" || sprint.began === undefined) return;
    sprint.ending = this.standing(index);
    sprint.final = this.within(index).map((issue) => ({ ...issue }));
    await plan(this.here, sprint.id, { status: "completed", move_open_issues_to: openGo ? "backlog" : null });
    Object.assign(sprint, { status: "completed", over: this.today });
    if (openGo) for (const issue of this.within(index)) if (isOpen(issue)) issue.sprint = null;
  }
}

async function checkBurndown({ sprints, today, here }: Story) {
  const begun = sprints.filter(({ began }) => began !== undefined).sort((a, b) => b.turn - a.turn);
  const shown = sprints.find(({ status }) => status === "active") ?? begun[0];
  if (!shown) return;
  const { data } = await report(here, "burndown");
  expect(data.sprint_id).toBe(shown.id);
  const last = shown.over ?? today;
  const expected = Array.from({ length: last - shown.began! + 1 }, (_, index) => {
    const at = shown.began! + index;
    const standing = at === shown.over ? shown.ending! : shown.days.get(at)!;
    return [day(at - today), standing.scope, standing.completed, standing.remaining];
  });
  // biome-ignore lint/suspicious/noExplicitAny: a row of a reply
  const seen = data.points.map((point: any) => [
    point.date,
    ...["scope", "completed", "remaining"].map((figure) => {
      expect(point[figure]).toBe(point[`${figure}_points`]);
      return { issues: point[`${figure}_issues`], points: point[`${figure}_points`] };
    }),
  ]);
  expect(seen).toEqual(expected);
}

async function checkVelocity(story: Story) {
  const { data } = await report(story.here, "velocity");
  const shown = story.sprints.filter(({ status }) => status !== "planned").sort((a, b) => a.turn - b.turn);
  const bars = shown.map((sprint) => {
    const isOver = sprint.status === "completed";
    const final = isOver ? sprint.final : story.within(story.sprints.indexOf(sprint));
    const committed = sprint.committed ?? [];
    const has = (issues: Issue[], { key }: Issue) => issues.some((issue) => issue.key === key);
    const done = sumOf(final.filter(({ status }) => status === "done"));
    return {
      sprint_id: sprint.id,
      committed: sumOf(committed).points,
      committed_issues: committed.length,
      committed_points: sumOf(committed).points,
      completed: done.points,
      completed_issues: done.issues,
      completed_points: done.points,
      added_issues: final.filter((issue) => !has(committed, issue)).length,
      removed_issues: committed.filter((issue) => !has(final, issue)).length,
      carried_over_issues: isOver ? final.filter(isOpen).length : 0,
    };
  });
  expect(data.bars).toHaveLength(bars.length);
  expect(data.bars).toMatchObject(bars);
}

async function checkThroughput({ here, issues, today }: Story) {
  const { data } = await report(here, "throughput");
  const live = issues.filter(({ archived }) => !archived);
  for (const week of data.weeks) {
    const inWeek = (at: number | undefined) =>
      at !== undefined && week.week_start <= day(at - today) && day(at - today) <= week.week_end;
    const resolved = live.filter((issue) => inWeek(issue.resolved));
    const done = resolved.filter(({ status }) => status === "done");
    const created = live.filter((issue) => inWeek(issue.made)).length;
    expect(week).toMatchObject({
      created,
      resolved: resolved.length,
      done: done.length,
      failed: 0,
      cancelled: resolved.length - done.length,
      net: created - resolved.length,
      done_points: sumOf(done).points,
    });
  }
}

test("after any changes, the reports equal a plain recount", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), async (steps) => {
      const story = new Story();
      story.here = await inPoints();
      for (const name of ["One", "Two", "Three"]) {
        const id = await makeSprint(story.here, { name });
        story.sprints.push({ id, status: "planned", turn: 0, committed: null, final: [], days: new Map() });
      }
      for (const step of steps) await story.live(step);
      story.writeDown();
      const check = async () => {
        for (const one of [checkBurndown, checkVelocity, checkThroughput]) await one(story);
      };
      await check();
      await tally(story.here, 7);
      await check();
      await forgetSums(story.here);
      await check();
      await sumUpSprints(story.here);
      await check();
      await tally(story.here, 1_000);
      await check();
    }),
    { numRuns: 8, endOnFailure: true },
  );
});
