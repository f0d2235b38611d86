import type { DocCommentView } from "../../../domain/knowledge/doc-comments/view.ts";
import { withMentions } from "../issue/mentions.ts";
import { type Action, actions } from "../site/actions.ts";
import type { Site, WorkspaceCall } from "../site/site.ts";
import { commentPath, DOC, docsPath, inPath, typed } from "./paths.ts";
import { docPage } from "./show.ts";

/** The forms of a doc's comments. */
export function commentForms(site: Site): void {
  const toComment = (call: WorkspaceCall, { id }: DocCommentView) => commentPath(call, id);
  const said = (call: WorkspaceCall) => withMentions(site, call, typed(call, "body_md"));
  const commentId = ({ form }: WorkspaceCall) => ({ commentId: form.text("comment") });
  const resolves = (resolved: boolean, said: string): Action => ({
    operation: "doc-comments.patch",
    input: (call) => ({ params: commentId(call), body: { resolved } }),
    to: toComment,
    said,
  });
  actions(site, DOC, (call, refusal) => docPage(site, call, refusal), {
    comment: {
      operation: "doc-comments.create",
      input: async (call) => {
        const [answered, quote] = [call.form.text("comment"), call.form.text("quote")];
        return {
          body: {
            body_md: await said(call),
            ...(answered === "" ? {} : { parent_id: answered }),
            ...(quote === "" ? {} : { anchor: { quote } }),
          },
        };
      },
      to: toComment,
      said: "Your comment is added.",
    },
    "comment-change": {
      operation: "doc-comments.patch",
      input: async (call) => ({ params: commentId(call), body: { body_md: await said(call) } }),
      to: toComment,
      said: "The comment is changed.",
    },
    "comment-resolve": resolves(true, "The comment is resolved."),
    "comment-reopen": resolves(false, "The comment is open again."),
    "comment-delete": {
      operation: "doc-comments.delete",
      input: (call) => ({ params: commentId(call) }),
      to: (call) => `${docsPath(call)}/${inPath(call).id}#comments`,
      said: "The comment is deleted.",
    },
  });
}
