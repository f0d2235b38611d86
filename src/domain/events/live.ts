import type { Ports, Subscription } from "../kernel/ports/ports.ts";

/**
 * Tells open pages that something happened in a workspace. Messages say only from which event on: readers look at the
 * rows. A message may be lost, and a page that is loaded again is right in any case.
 */

const topicOf = (workspaceId: string): string => `changes:${workspaceId}`;
const PERSON = "person ";

/** @param since the id of the oldest event that happened */
export const tellPages = (ports: Pick<Ports, "publish">, workspaceId: string, since: string): void =>
  ports.publish(topicOf(workspaceId), since);

/** For what only one person sees and no event says, such as their notifications. */
export const tellPagesOf = (ports: Pick<Ports, "publish">, workspaceId: string, userId: string): void =>
  ports.publish(topicOf(workspaceId), PERSON + userId);

/** Listens to a workspace. Returns what ends it. */
export const listenToChanges = (
  ports: Pick<Ports, "subscribe">,
  workspaceId: string,
  {
    happened,
    forPerson,
    ...about
  }: Subscription & {
    /** Events with this id or later ones are stored. */
    happened(since: string): void;
    forPerson(userId: string): void;
  },
): (() => void) =>
  ports.subscribe(
    topicOf(workspaceId),
    (text) => (text.startsWith(PERSON) ? forPerson(text.slice(PERSON.length)) : happened(text)),
    about,
  );
