import type { InWorkspace } from "../../kernel/context.ts";

export type AnswerRow = {
  comment_id: string;
  author_id: string;
  author_name: string | null;
  body_md: string;
  created_at: string;
  /** Options of the question, also after the session has gone on. */
  options: string[];
};

/** Answers of one call, and the characters of each. */
const MAX_ANSWERS = 20;
const MAX_LENGTH = 4_000;

/** Comments that people wrote on the session's issue since its last question, oldest first. */
export function answersSince({ db, workspace }: InWorkspace, sessionId: string): Promise<AnswerRow[]> {
  const text = `
    select c.id as comment_id, c.author_id, u.name as author_name, left(c.body_md, ${MAX_LENGTH}) as body_md, c.created_at,
           coalesce(coalesce(s.question, s.last_question) -> 'options', '[]') as options
    from agent_session s
    join comment c on c.issue_id = s.issue_id and c.created_at >= s.needs_input_at and c.deleted_at is null
    join app_user u on u.id = c.author_id and u.kind = 'person'
    where s.workspace_id = $1 and s.id = $2 order by c.created_at, c.id limit ${MAX_ANSWERS}`;
  return db.query<AnswerRow>({ name: "agent_session_answers", text }, [workspace.id, sessionId]);
}
