import type { Db } from "../../kernel/ports/ports.ts";

/**
 * Password attempts on forms: one row for each network, and one row without a network for all of them together. Times
 * are the database's, so that all web processes agree.
 */

export type Guesser = { workspaceId: string; formId: string; network: string };

/**
 * Number of wrong attempts without a wait, and the wait in seconds after the next one. The wait doubles with each
 * further attempt, up to MAX_WAIT.
 */
type Patience = { free: number; firstWait: number };
const USUAL: Patience = { free: 5, firstWait: 30 };
/** For networks that never knew the password, while many networks are guessing. */
const STRICT: Patience = { free: 1, firstWait: 600 };
const MAX_WAIT = 3_600;
/** Number of wrong attempts within a day, from all networks together, after which STRICT applies. */
const MANY = 200;

const FORGOTTEN = "interval '24 hours'";
const TRUSTED = "interval '30 days'";

const waitOf = (tries: string, { free, firstWait }: Patience) => `
  case when ${tries} < ${free} then 0 else least(${MAX_WAIT}, ${firstWait} * 2 ^ least(${tries} - ${free}, 10)) end`;
const nextAt = (tries: string, strict: string) => `
  now() + make_interval(secs => case when ${strict} then ${waitOf(tries, STRICT)} else ${waitOf(tries, USUAL)} end)`;

const TRIES = `(case when g.last_at < now() - ${FORGOTTEN} then 1 else g.tries + 1 end)`;
const IS_STRICT = `
  exists (select from form_guess a where a.workspace_id = $1 and a.form_id = $2 and a.network = ''
            and a.tries >= ${MANY} and a.since > now() - ${FORGOTTEN})`;

/**
 * Counts a network's next attempt before the password is checked, so that simultaneous attempts count like attempts one
 * after the other.
 * @returns null if the attempt may be made, else the seconds to wait
 */
export async function countAttempt(db: Db, { workspaceId, formId, network }: Guesser): Promise<number | null> {
  const [row] = await db.query<{ taken: boolean; wait: number | null }>(
    {
      name: "form_take_try",
      text: `
        with taken as (
          insert into form_guess as g (workspace_id, form_id, network, tries, since, last_at, next_at)
          values ($1, $2, $3, 1, now(), now(), ${nextAt("1", IS_STRICT)})
          on conflict (form_id, network) do update set
            tries = ${TRIES}, last_at = now(),
            next_at = ${nextAt(TRIES, `(${IS_STRICT} and coalesce(g.succeeded_at < now() - ${TRUSTED}, true))`)}
          where g.next_at <= now()
          returning 1
        )
        select exists (select from taken) as taken,
               (select ceil(extract(epoch from next_at - now()))::int
                from form_guess where workspace_id = $1 and form_id = $2 and network = $3) as wait`,
    },
    [workspaceId, formId, network],
  );
  return row!.taken ? null : Math.max(1, row!.wait ?? 1);
}

/** Deletes a network's wrong attempts after a right one, and trusts it for a while. */
export async function resetAttempts(db: Db, { workspaceId, formId, network }: Guesser): Promise<void> {
  await db.query(
    {
      name: "form_forget_tries",
      text: `
        update form_guess set tries = 0, next_at = now(), succeeded_at = now()
        where workspace_id = $1 and form_id = $2 and network = $3`,
    },
    [workspaceId, formId, network],
  );
}

/** Counts a wrong attempt for all networks together. */
export async function countWrongAttempt(db: Db, { workspaceId, formId }: Guesser): Promise<void> {
  await db.query(
    {
      name: "form_count_wrong",
      text: `
        insert into form_guess as g (workspace_id, form_id, network, tries, since, last_at, next_at)
        values ($1, $2, '', 1, now(), now(), now())
        on conflict (form_id, network) do update set
          tries = case when g.since < now() - ${FORGOTTEN} then 1 else g.tries + 1 end,
          since = case when g.since < now() - ${FORGOTTEN} then now() else g.since end,
          last_at = now()`,
    },
    [workspaceId, formId],
  );
}
