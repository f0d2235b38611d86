import type { Ports, Subscription } from "../kernel/ports/ports.ts";

/**
 * Tells open pages that something happened in a workspace. Messages say only from which event on: readers look at the
 * rows. A message may be lost, and a page that is loaded again is right in any case.
 */

const topicOf = (workspaceId: string): string => `changes:${workspaceId}`;
const PEOPLE = "people ";
/** Ids in one message. */
const MOST = 500;

/** @param since the id of the oldest event that happened */
export const tellPages = (ports: Pick<Ports, "publish">, workspaceId: string, since: string): void =>
  ports.publish(topicOf(workspaceId), since);

/** For what only these people see and no event says, such as their notifications. */
export function tellPagesOf(ports: Pick<Ports, "publish">, workspaceId: string, userIds: readonly string[]): void {
  for (let at = 0; at < userIds.length; at += MOST) {
    ports.publish(topicOf(workspaceId), PEOPLE + userIds.slice(at, at + MOST).join(","));
  }
}

/** Listens to a workspace. Returns what ends it. */
export const listenToChanges = (
  ports: Pick<Ports, "subscribe">,
  workspaceId: string,
  {
    happened,
    forPeople,
    ...about
  }: Subscription & {
    /** Events with this id or later ones are stored. */
    happened(since: string): void;
    forPeople(userIds: ReadonlySet<string>): void;
  },
): (() => void) =>
  ports.subscribe(
    topicOf(workspaceId),
    (text) => (text.startsWith(PEOPLE) ? forPeople(new Set(text.slice(PEOPLE.length).split(","))) : happened(text)),
    about,
  );
