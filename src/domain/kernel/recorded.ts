/** One line of an issue's history. */
export type ActivityLine = { kind: string; payload: Record<string, unknown> };

export type Recorded = {
  id: string;
  type: string;
  workspace_id: string;
  project_id: string | null;
  issue_id: string | null;
  /** The only person who may see the event, because its object is private; null for an object that is not. */
  person_id: string | null;
  /** The channel whose members alone may see the event, because it is not public; null for all others. */
  channel_id: string | null;
  data: unknown;
  previous: Record<string, unknown> | null;
  changed: string[] | null;
  context: Record<string, unknown> | null;
  activity: ActivityLine[];
};
