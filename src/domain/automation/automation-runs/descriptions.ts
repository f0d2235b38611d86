import { SAMPLE } from "../../kernel/described.ts";

/** Descriptions of automation runs, for the API description. */

export const aboutRun = {
  id: ["Identifies the run. Events and lines of history that it caused name it.", SAMPLE.other],
  automation_id: ["The automation that ran.", SAMPLE.other],
  issue_id: ["Id of the issue that the run is about. `null` if it is about none.", SAMPLE.issue],
  issue_key: [
    "The issue of `issue_id` as `KEY-N`. `null` if the run is about none, or if the caller cannot see it.",
    "WEB-1",
  ],
  trigger: ["What started the run.", "issue.status_changed"],
  event_id: ["Id of the event that started the run. Runs by the clock have an id made from the time.", SAMPLE.other],
  depth: ["Number of reactions from the first change of the chain to this run. 1 if a person made the change.", 1],
  status: ["`ok` if all actions succeeded, `partial` if some did, `error` if none did."],
  reason: [
    "Why the run ended without its actions: it was part of a loop, there were too many runs, the plan allows no more, or the creator lacks the rights. `null` for all other runs.",
  ],
  actions_applied: ["What each action did, in order. `null` if the first one never began."],
  detail: ["Why the run ended with an error, or how much it stands for. `null` if there is nothing to say.", null],
  created_at: ["When the run was created."],
  started_at: ["When a worker began with the run, a moment after the event that triggered it."],
  finished_at: ["When the run ended."],
  duration_ms: ["How long the run took, in milliseconds.", 12],
} as const;

export const aboutApplied = {
  type: ["Which action was carried out.", "set_status"],
  ok: ["Whether the action succeeded. An action that had nothing to do succeeded."],
  detail: ["What the action did, or the code and the text of its error.", "Status: Done."],
  issue_id: ["Id of the issue that the action was applied to. `null` for actions that change no issue.", SAMPLE.issue],
} as const;
