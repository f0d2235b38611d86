import { expect, test } from "vitest";
import type { Form } from "../../src/api/pages/site/forms.ts";
import { typedAgain } from "../../src/api/pages/site/typed-again.ts";
import { leastCpu } from "../support/least.ts";

const sent = (text: string): Form => {
  const fields = new URLSearchParams(text);
  return { text: (name) => fields.get(name) ?? "", all: (name) => fields.getAll(name) };
};

test("a form is filled in with what was sent, escaped, and unfolded", () => {
  const page = `<details class="fold"><form action="/a" method="post"><input type="hidden" name="once" value="new"><input name="title" value="old" required><textarea name="body">
old</textarea><select name="of"><option value="1" selected>1</option><option value="2">2</option></select><input type="checkbox" name="on" value="x" checked></form></details>`;
  const filled = typedAgain(
    page,
    "/a",
    sent(`once=old&of=2&title=${encodeURIComponent('"><b>$&')}&body=%3C/textarea%3E`),
  );
  expect(filled).toContain('<details class="fold" open>');
  expect(filled).toContain('name="title" required value="&quot;&gt;&lt;b&gt;$&amp;"');
  expect(filled).toMatch(/<textarea name="body">\n&lt;&#x2F;textarea&gt;<\/textarea>/);
  expect(filled).toContain('<option value="1">1</option><option value="2" selected>');
  expect(filled).toContain('name="on" value="x">');
  expect(filled).toContain('name="once" value="new"');
});

test("of several forms with the address, hidden fields tell which was sent; others stay as they are", () => {
  const form = (id: string) =>
    `<form action="/a"><input type="hidden" name="id" value="${id}"><input name="t" value=""></form>`;
  const page = `<details></details><form action="/b"><input name="t" value="b"></form>${form("1")}${form("2")}`;
  const filled = form("2").replace('name="t" value=""', 'name="t" value="typed"');
  expect(typedAgain(page, "/a", sent("id=2&t=typed"))).toBe(page.replace(form("2"), filled));
  expect(typedAgain(page, "/c", sent("t=typed"))).toBe(page);
});

test("thousands of values for a field with many choices take a moment", () => {
  const options = Array.from({ length: 4_000 }, (_, n) => `<option value="${n + 10_000}">a</option>`).join("");
  const values = Array.from({ length: 12_000 }, (_, n) => String(n + 50_000));
  const form: Form = { text: () => "", all: (name) => (name === "x" ? values : []) };
  const page = `<form action="/a"><select name="x">${options}</select></form>`;
  expect(leastCpu(() => typedAgain(page, "/a", form))).toBeLessThan(120);
});
