import type { EventType } from "../../domain/event-catalogue.ts";
import { departures } from "../../domain/tenancy/workspaces/departures.sql.ts";
import { unassignDeparted as unassign } from "../../domain/work/issues/unassign-departed.ts";
import { defineQueue } from "../../queues/queue.ts";
import { inPieces, serveInPieces } from "./in-pieces.ts";

const STARTS: EventType[] = ["member.removed"];

/** Unassigns people who left a workspace from their open issues, if these are too many for one call. */
export const unassignDeparted = defineQueue("unassign-departed", {
  on: STARTS,
  only: { "member.removed": "exists (select from member_departure d where d.workspace_id = e.workspace_id)" },
  ...inPieces(departures),
});

export const worker = serveInPieces(unassignDeparted, unassign);
