import { counted } from "../../kernel/counted.ts";
import { newId } from "../../kernel/ids.ts";
import type { NewRun, Standing, TallyChange } from "./begin.sql.ts";
import type { Candidate } from "./candidate.ts";
import { isLooping, MAX_DEPTH, MAX_LOOPS, RUNS_PER_HOUR, RUNS_PER_MINUTE } from "./limits.ts";
import { SOURCES } from "./sources.ts";

/** Decides which candidates run, and which are refused because of loops and limits. */

export type Asked = { candidate: Candidate; standing: Standing };

/** Counts of the workspace. */
export type Room = {
  now: string;
  runsInHour: number;
  runsInMonth: number;
  /** Null: no limit. */
  runsPerMonth: number | null;
};

export type Decisions = {
  runs: NewRun[];
  tallies: Map<string, TallyChange>;
  /** Automations that already ran for the issue in the same chain. */
  repeated: Set<string>;
  /** Automations to disable because they caused loops. */
  looping: Set<string>;
  started: number;
};

/** Decides in the order of the candidates. */
export function decide(asked: readonly Asked[], room: Room): Decisions {
  const decided: Decisions = { runs: [], tallies: new Map(), repeated: new Set(), looping: new Set(), started: 0 };
  const seen = new Set<string>();
  const depths = new Map<string, number>();
  for (const { candidate, standing } of asked) {
    const { automation_id, event_id, issue_id, root_event_id, depth } = candidate;
    const cause = `${automation_id} ${event_id} ${issue_id}`;
    if (standing.exists || seen.has(cause) || decided.looping.has(automation_id)) continue;
    seen.add(cause);
    const chain = `${automation_id} ${root_event_id} ${issue_id}`;
    const earlier = depths.get(chain) ?? standing.earlier_depth;
    const tally = tallyOf(decided, standing);
    if (depth > MAX_DEPTH || (earlier !== null && earlier < depth)) stopLoop(decided, candidate, tally, room.now);
    else if (earlier !== null) decided.repeated.add(automation_id);
    else {
      const refusal = refusalOf(candidate, tally, decided, room);
      if (refusal) refuseRun(decided, candidate, tally, refusal);
      else {
        start(decided, candidate, standing, tally);
        depths.set(chain, depth);
      }
    }
  }
  return decided;
}

function tallyOf({ tallies }: Decisions, standing: Standing): TallyChange {
  const { automation_id, runs_in_minute, loops_at, refused_run_id, refused_count } = standing;
  const tally = tallies.get(automation_id) ?? {
    ...{ automation_id, runs_in_minute, loops_at, refused_run_id, refused_count },
    started: 0,
    errors: 0,
  };
  tallies.set(automation_id, tally);
  return tally;
}

function start(decided: Decisions, candidate: Candidate, standing: Standing, tally: TallyChange): void {
  const { values, reads, triggering_user_id, weight: _, ...about } = candidate;
  const { name, actions, on_error, creator_id, key_id, key_scopes } = standing;
  const all = { ...values, "automation.name": name, "issue.reporter": standing.reporter ?? "" };
  const ordinal = standing.run_count + tally.started;
  const actsFor = { creator_id, key_id, key_scopes };
  const plan = { name, actions, on_error, ...actsFor, triggering_user_id, values: all, reads, ordinal };
  decided.runs.push({ ...about, id: newId(), plan, reason: null, detail: null });
  decided.started++;
  tally.started++;
  tally.runs_in_minute++;
}

function stopLoop(decided: Decisions, candidate: Candidate, tally: TallyChange, now: string): void {
  const detail =
    candidate.depth > MAX_DEPTH
      ? `Stopped: the change is more than ${MAX_DEPTH} automations away from the first change of its chain.`
      : "Stopped: this automation caused the change, directly or through others, and would run for the issue again.";
  decided.runs.push(ended(candidate, "loop_stopped", detail));
  tally.errors++;
  tally.loops_at = [now, ...tally.loops_at].slice(0, MAX_LOOPS);
  if (isLooping(tally.loops_at, now)) decided.looping.add(candidate.automation_id);
}

type Refused = { reason: "throttled" | "plan"; why: string };

function refusalOf({ trigger }: Candidate, tally: TallyChange, { started }: Decisions, room: Room): Refused | null {
  if (room.runsPerMonth !== null && room.runsInMonth + started >= room.runsPerMonth)
    return { reason: "plan", why: `the plan allows ${counted(room.runsPerMonth, "run")} a month` };
  if (!SOURCES[trigger]?.timed && tally.runs_in_minute >= RUNS_PER_MINUTE)
    return { reason: "throttled", why: `an automation runs at most ${RUNS_PER_MINUTE} times a minute` };
  if (room.runsInHour + started >= RUNS_PER_HOUR)
    return { reason: "throttled", why: `the automations of a workspace run at most ${RUNS_PER_HOUR} times an hour` };
  return null;
}

/** One run of each minute stands for all that were refused, so that a flood of changes does not become one of runs. */
function refuseRun(decided: Decisions, candidate: Candidate, tally: TallyChange, { reason, why }: Refused): void {
  tally.refused_count = tally.refused_run_id === null ? 1 : tally.refused_count + 1;
  const run = ended(candidate, reason, `Not run for ${counted(tally.refused_count, "change")} in this minute: ${why}.`);
  const at = decided.runs.findIndex(({ id }) => id === tally.refused_run_id);
  if (at >= 0) decided.runs[at] = { ...decided.runs[at]!, detail: run.detail };
  else decided.runs.push({ ...run, id: tally.refused_run_id ?? run.id });
  tally.refused_run_id ??= run.id;
}

function ended(candidate: Candidate, reason: NewRun["reason"], detail: string) {
  const { values: _, triggering_user_id: __, weight: ___, ...about } = candidate;
  return { ...about, id: newId(), plan: {}, reason, detail };
}
