import fc from "fast-check";
import { expect, test } from "vitest";
import { asMarkdown, filled, inMarkdown, unknownPaths } from "../../src/domain/automation/templates/template.ts";
import { mentionsIn } from "../../src/domain/kernel/mentions.ts";
import { renderMarkdown } from "../../src/domain/work/comments/markdown.ts";

const ID = "0198c2a4-3b40-7c14-9d04-5f1d2b6c7a04";

test("paths are replaced once, and others stay", () => {
  const values = { "issue.key": "WEB-1", "issue.title": "{{issue.key}}" };
  expect(filled("{{ issue.key }}: {{issue.title}}, {{actor.name}}{{nothing}}", values)).toBe(
    "WEB-1: {{issue.key}}, {{nothing}}",
  );
  expect(unknownPaths("{{ issue.key }} {{issue.constructor}} {{}} {{ a.b }}")).toEqual([
    "issue.constructor",
    "",
    "a.b",
  ]);
  expect(unknownPaths(`${"{{".repeat(100_000)}${"{{x".repeat(100_000)}`)).toEqual([]);
});

test("a value stays text in Markdown: it mentions nobody and links nothing", async () => {
  const words = fc.constantFrom(
    ...["@", "[", "](", ")", ID, "#WEB-1", "# ", "\n", "- ", "1. ", "> ", "`", "```", "**", "_", "~~", "<b>", "&amp;"],
    ...["\\", "|", "http://a.test", "![", "a", "é", "字", " ", "<!--", "](javascript:x)", "---", "===", "www.a.test"],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(words, { maxLength: 12 }), async (parts) => {
      const value = parts.join("");
      const markdown = `Moved ${asMarkdown(value)} there`;
      expect(mentionsIn(markdown)).toEqual({ ids: [], handles: [] });
      const html = await renderMarkdown(markdown, { issueUrl: (key) => `/${key}`, nameOf: () => "Ada" });
      const [, inner] = /^<p>(.*)<\/p>\n$/s.exec(html) ?? [];
      expect(inner, html).not.toContain("<");
      expect(inner).not.toContain("mention");
      expect(inner).not.toContain("/WEB-1");
      expect(textOf(inner!)).toBe(`Moved ${value.replace(/\s+/g, " ")} there`.replace(/ +/g, " "));
    }),
    { numRuns: 5_000 },
  );
});

test("values that the service makes keep their meaning in Markdown, and so do numbers and dates in titles", async () => {
  const values = {
    "issue.key": "WEB-1",
    "issue.url": "https://muster.test/w/acme/p/web/WEB-1",
    "issue.due_at": "2026-01-16T14:05:12.480Z",
    "issue.title": "#WEB-2 and 1.5 on 2026-01-16, 10:30: v1.2 of a-b.test, ada@b.test",
    "actor.name": "1. Ada",
  };
  const text = (template: string) => filled(template, values, inMarkdown);
  expect(text("{{issue.due_at}}")).toBe("2026-01-16T14:05:12.480Z");
  expect(text("{{issue.title}}")).toBe(
    "\\#WEB\\-2 and 1.5 on 2026-01-16, 10:30\\: v1\\.2 of a\\-b\\.test, ada\\@b\\.test",
  );
  expect(text("{{actor.name}}")).toBe("1\\. Ada");
  const html = await renderMarkdown(text("#{{issue.key}} by {{actor.name}}, {{issue.title}}: {{issue.url}}"), {
    issueUrl: (key) => `/${key}`,
    nameOf: () => "Ada",
  });
  expect(html).toContain('href="/WEB-1"');
  expect(html).toContain('href="https://muster.test/w/acme/p/web/WEB-1"');
  expect(html).not.toContain("/WEB-2");
  expect(html).not.toMatch(/mailto|href="http:/);
});

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replace(/ +/g, " ");
