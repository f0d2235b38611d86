import { Migration } from "@mikro-orm/migrations";

/** A session that goes on keeps its last question, so that its answers still name the options that people chose. */
export class QuestionsOfSessions extends Migration {
  override up(): void {
    this.addSql(`alter table agent_session add column last_question jsonb`);
  }
}
