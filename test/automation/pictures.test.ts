import { expect, test } from "vitest";
import { draw } from "../../src/adapters/rendering/child/picture/draw.ts";
import { DARK, LIGHT } from "../../src/adapters/rendering/child/picture/style.ts";
import { cutTo } from "../../src/adapters/rendering/child/picture/texts.ts";
import type { PictureToDraw } from "../../src/domain/kernel/ports/document-renderer.ts";
import { widthOf } from "../../src/domain/kernel/text-width.ts";
import type { Client } from "../support/client.ts";
import { expectShortTurns, startWatched } from "../support/loop.ts";
import { SVG, textsOf } from "../support/svg.ts";
import { world } from "../support/world.ts";
import { END, edge, START } from "./graphs.ts";

const accepting = (accept: string) => ({ headers: { accept } });
const workflow = async (client: Client, body: Record<string, unknown>) =>
  (await client.post("W/workflows", { name: "Review", ...body }).expect(201)).data;

test("a workflow is answered as a picture only if Accept prefers it", async () => {
  const here = await world();
  const { owner } = here;
  const graph = {
    nodes: [START, { id: "r", kind: "person", label: "Review", assignee_user_id: owner.userId }, END],
    edges: [edge("start", "r"), edge("r", "end", "approved")],
  };
  const { id } = await workflow(owner, graph);
  const path = `W/workflows/${id}`;
  for (const accept of ["*/*", "image/*", "application/json", `${SVG};q=0`, `application/json, ${SVG};q=0.9`]) {
    const reply = await owner.get(path, accepting(accept)).expect(200);
    expect(reply.headers.get("content-type"), accept).toMatch(/^application\/json/);
    expect(reply.headers.get("vary")).toMatch(/\bAccept\b/);
    expect(reply.data.id).toBe(id);
  }
  const json = await owner.get(path).expect(200);
  for (const accept of [SVG, `${SVG}, application/json;q=0.5`, `image/avif,${SVG},*/*;q=0.8`]) {
    const picture = await owner.get(path, accepting(accept)).expect(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": SVG,
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      vary: expect.stringMatching(/\bAccept\b/),
    });
    expect(textsOf(picture.text)).toEqual([
      "approved",
      "Start",
      "Review",
      "Person · Olive Owner",
      "End",
      "End · completed",
    ]);
    expect(picture.text).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="title description"><title id="title">Review<\/title><desc/,
    );
    const etag = picture.headers.get("etag")!;
    expect(etag).not.toBe(json.headers.get("etag"));
    const again = { headers: { accept, "if-none-match": etag } };
    const unchanged = await owner.get(path, again).expect(304);
    expect(unchanged.headers.get("vary")).toMatch(/\bAccept\b/);
    await owner.get(path, { headers: { accept, "if-none-match": json.headers.get("etag")! } }).expect(200);
  }
  const missing = await owner.get("W/workflows/0198c2a4-0e10-7c11-8a01-5f1d2b6c7a99", accepting(SVG)).expect(404);
  expect(missing.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  const stranger = (await here.other()).owner;
  await stranger.get(path, accepting(SVG)).expect(404);
});

test("the picture of a run shows each state in words, and the way that it took", async () => {
  const here = await world();
  const { owner } = here;
  const graph = {
    nodes: [
      START,
      {
        id: "c",
        kind: "condition",
        label: "Urgent?",
        config: { rules: [{ field: "priority", op: "is", value: "high" }] },
      },
      { id: "now", kind: "person", label: "Now", assignee_user_id: owner.userId },
      { id: "later", kind: "wait", label: "Later", config: { minutes: 60 } },
      END,
    ],
    edges: [
      edge("start", "c"),
      edge("c", "now", "true"),
      edge("c", "later", "false"),
      edge("now", "end"),
      edge("later", "end"),
    ],
  };
  const { id } = await workflow(owner, graph);
  await owner.patch(`W/workflows/${id}`, { status: "enabled" }).expect(200);
  const issue = (await owner.post("P/issues", { title: "Pay", priority: "high" }).expect(201)).data;
  const { run_id } = (await owner.post(`P/issues/${issue.key}/workflow`, { workflow_id: id }).expect(201)).data;
  const path = `W/workflow-runs/${run_id}`;
  expect((await owner.get(path).expect(200)).headers.get("content-type")).toMatch(/^application\/json/);
  const read = async () => (await owner.get(path, accepting(SVG)).expect(200)).text;
  const running = await read();
  expect(textsOf(running)).toEqual([
    ...["true", "false"],
    ...["Start", "done"],
    ...["Urgent?", "Condition · 1 rule", "done · true"],
    ...["Now", "Person · Olive Owner", "active"],
    ...["Later", "Wait · 60 minutes", "skipped"],
    ...["End", "End · completed", "pending"],
  ]);
  expect(running).toContain(`<title id="title">Run of Review · ${issue.key}</title>`);
  expect(running.match(/class="edge strong"/g)).toHaveLength(2);
  await owner.post(`${path}/complete-stage`, { node_id: "now" }).expect(200);
  const ended = await read();
  expect(textsOf(ended).filter((text) => text === "done")).toHaveLength(3);
  expect(ended.match(/class="edge strong"/g)).toHaveLength(3);
});

test("an approval by role names the role, in a text that fits", async () => {
  const { owner } = await world();
  const approval = (id: string, required: number) => ({
    ...{ id, kind: "approval", label: id },
    config: { approver_role: "member", required },
  });
  const nodes = [START, approval("One", 1), approval("Two", 2), END];
  const edges = [edge("start", "One"), edge("One", "Two"), edge("Two", "end")];
  const { id } = await workflow(owner, { nodes, edges });
  const { text } = await owner.get(`W/workflows/${id}`, accepting(SVG)).expect(200);
  expect(textsOf(text)).toEqual(
    expect.arrayContaining(["One", "Approval · any member", "Two", "Approval · 2 members"]),
  );
});

const picture = (more: Partial<PictureToDraw>): PictureToDraw => ({
  format: "svg",
  title: "Title",
  description: "",
  nodes: [],
  edges: [],
  ...more,
});
const HOSTILE = [
  "</text><script>alert(1)</script>",
  `"><image href="https://evil.example/x" onload='alert(1)'/>`,
  "]]> <!-- <![CDATA[ &amp; &#60; &nbsp; &lol;",
  "\u202egnp.exe\u0007\u0000\ufffe \ud800 half",
  "javascript:alert(1)",
  "🚀".repeat(80),
  "審".repeat(120),
  "á̈̈̈̈̈̈̈̈".repeat(14),
  "W".repeat(120),
];

test("no text breaks out of the picture, whatever it contains", () => {
  for (const text of HOSTILE) {
    const nodes = ["a", "b"].map((id) => ({
      id,
      kind: "person",
      title: text,
      detail: text,
      state: { name: "done", words: text },
    }));
    const edges = [{ source: "a", target: "b", label: text, strong: false }];
    const svg = draw(picture({ title: text, description: text, nodes, edges }));
    for (const shown of textsOf(svg)) expect(widthOf(shown, 14)).toBeLessThan(240);
    expect(svg).not.toMatch(/[\p{Cc}\p{Bidi_Control}\ufffe]/u);
    expect(svg.isWellFormed()).toBe(true);
  }
  const svg = draw(picture({ nodes: [{ id: "__proto__", kind: "constructor", title: "", detail: "", state: null }] }));
  expect(textsOf(svg)).toEqual([]);
  expect(textsOf(draw(picture({})))).toEqual([]);
});

test("texts are cut by their width, and characters are not cut apart", () => {
  expect(cutTo("short", 14, 100)).toBe("short");
  expect(cutTo("iiiiiiiiiiiiiiii", 14, 100)).toBe("iiiiiiiiiiiiiiii");
  expect(cutTo("WWWWWWWWWWWWWWWW", 14, 100)).toBe("WWWWWW…");
  expect(cutTo("承認が必要です、とても長い", 14, 100)).toBe("承認が必要…");
  expect(cutTo("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 14, 100)).toMatch(/^(👩‍👩‍👧)+…$/u);
  expect(cutTo("a b ".repeat(500), 14, 100).length).toBeLessThan(30);
});

test("every text has enough contrast to what is behind it, in light and in dark", () => {
  for (const { page, node, ink, soft, line, strong, states } of [LIGHT, DARK]) {
    for (const text of [ink, soft]) {
      for (const behind of [page, node]) expect(contrast(text, behind)).toBeGreaterThanOrEqual(4.5);
    }
    for (const [name, { fill, word }] of Object.entries(states)) {
      for (const text of [ink, soft, word]) expect(contrast(text, fill), name).toBeGreaterThanOrEqual(4.5);
    }
    // Lines are no texts (WCAG 2.2, 1.4.11).
    for (const stroke of [line, strong]) expect(contrast(stroke, page)).toBeGreaterThanOrEqual(3);
  }
});

/** The contrast of two colors (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** A graph of the largest size, whose edges lead far. */
function largest() {
  const label = `<"'>${"承認".repeat(58)}`;
  const nodes = [START, ...Array.from({ length: 199 }, (_, n) => ({ id: `n${n}`, kind: "parallel", label }))];
  const pairs = new Map<string, ReturnType<typeof edge>>();
  const add = (a: number, b: number) => pairs.set(`${a} ${b}`, edge(nodes[a]!.id, nodes[b]!.id, label));
  for (let n = 1; n < 200; n++) add(n - 1, n);
  for (let n = 0; pairs.size < 400; n++) add(n % 97, 199 - (n % 83));
  return { nodes, edges: [...pairs.values()] };
}

test("a picture of 200 nodes and 400 edges is small, and takes no time from other calls", async () => {
  const here = await world();
  const { owner } = here;
  const { id } = await workflow(owner, largest());
  const web = await startWatched(here.app.config);
  try {
    const call = () =>
      fetch(`${web.url}/v1/workspaces/${here.workspace.slug}/workflows/${id}`, {
        headers: { accept: SVG, authorization: `Bearer ${owner.key}` },
      });
    const reply = await call();
    expect(reply.status).toBe(200);
    const text = await reply.text();
    textsOf(text);
    expect(Buffer.byteLength(text)).toBeLessThan(200_000);
    await expectShortTurns(web, "a picture", async () => (await call()).text());
  } finally {
    await web.kill();
  }
}, 60_000);
