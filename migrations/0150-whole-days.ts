import { Migration } from "@mikro-orm/migrations";

const DATES: Record<string, Record<string, string>> = {
  issue: { start_at: "start_on", due_at: "due_on" },
  milestone: { start_at: "start_on", due_at: "due_on" },
  sprint: { start_at: "start_on", end_at: "end_on" },
  release: { target_date: "target_on" },
  project: { start_at: "start_on", target_at: "target_on" },
  goal: { cycle_start_at: "cycle_start_on", cycle_due_at: "cycle_due_on" },
  key_result: { due_at: "due_on" },
};

const isMidnight = (at: string) => `${at} = date_trunc('day', ${at}, 'UTC')`;

/**
 * The day of a date that was sent as a day, beside its midnight in UTC. Null: the date is an instant. Midnights that exist
 * already have always been shown as days.
 */
export class WholeDays extends Migration {
  override up(): void {
    for (const [table, dates] of Object.entries(DATES)) {
      const columns = Object.entries(dates);
      this.addSql(`alter table ${table} ${columns.map(([, on]) => `add column ${on} date`).join(", ")}`);
      const days = columns.map(
        ([at, on]) => `${on} = case when ${isMidnight(at)} then (${at} at time zone 'UTC')::date end`,
      );
      this.addSql(`update ${table} set ${days.join(", ")} where ${columns.map(([at]) => isMidnight(at)).join(" or ")}`);
    }
    // The views of issues that are about to change show the new columns, too. What else they show stays as it is.
    for (const view of ["issue_now", "issue_planned_now"]) {
      this.addSql(`
        do $$
        declare
          shown text := pg_get_viewdef('${view}'::regclass);
          more text := regexp_replace(shown, E'\\n   FROM ', E',\\n    i.start_on,\\n    i.due_on\\n   FROM ');
        begin
          if more = shown then raise exception '${view} has no list of columns'; end if;
          execute 'create or replace view ${view} as ' || more;
        end $$`);
    }
  }
}
