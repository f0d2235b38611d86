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
/** Rows that one statement reads. */
const PIECE = 5_000;

/**
 * The day of a date that was sent as a day, beside its midnight in UTC. Null: the date is an instant. Midnights that exist
 * already have always been shown as days. The views of issues get the columns in migration 0155.
 */
export class WholeDays extends Migration {
  /** Each table is changed in pieces that commit, so no lock lasts. A second run does the same again. */
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [table, dates] of Object.entries(DATES)) {
      const columns = Object.entries(dates);
      this.addSql(`alter table ${table} ${columns.map(([, on]) => `add column if not exists ${on} date`).join(", ")}`);
      const days = columns.map(
        ([at, on]) => `${on} = case when ${isMidnight(at)} then (${at} at time zone 'UTC')::date end`,
      );
      this.addSql(`
        do $$
        declare
          piece uuid[];
          last uuid := '00000000-0000-0000-0000-000000000000';
        begin
          loop
            piece := array(select id from ${table} where id > last order by id limit ${PIECE});
            exit when cardinality(piece) = 0;
            update ${table} set ${days.join(", ")}
            where id = any(piece) and (${columns.map(([at]) => isMidnight(at)).join(" or ")});
            last := piece[cardinality(piece)];
            commit;
          end loop;
        end $$`);
    }
  }
}
