import type { EventType } from "../../domain/event-catalogue.ts";
import { makeInPieces } from "../../domain/work/mass-changes/make-in-pieces.ts";
import { massChanges } from "../../domain/work/mass-changes/mass-changes.sql.ts";
import { defineQueue } from "../../queues/queue.ts";
import { inPieces, serveInPieces } from "./in-pieces.ts";

/** Events of objects whose change may concern very many issues. */
const STARTS: EventType[] = [
  ...(["label.deleted", "milestone.deleted", "release.deleted", "sprint.deleted", "sprint.completed"] as const),
  ...(["custom_field.deleted", "custom_field.updated"] as const),
  ...(["status.updated", "status.deleted"] as const),
];
const IS_LARGE = "exists (select from mass_change m where m.project_id = e.project_id)";

/** Makes the changes of very many issues. */
export const makeMassChanges = defineQueue("make-mass-changes", {
  on: STARTS,
  only: Object.fromEntries(STARTS.map((name) => [name, IS_LARGE])),
  ...inPieces(massChanges),
});

export const worker = serveInPieces(makeMassChanges, makeInPieces);
