/**
 * Answers questions that arrive in the same turn of the event loop together. Under load several calls arrive in a turn, and
 * one statement for all of them costs much less than one for each. A question that arrives alone is asked at once.
 */
export type Gathered<Question, Answer> = (question: Question) => Promise<Answer>;

/** More would let the first answer wait for the last one, while nothing else is done. */
const TOGETHER = 8;

type Waiting<Question, Answer> = {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

/** @param ask returns the answers in the order of the questions; if it fails, so do all of its questions */
export function gather<Question, Answer>(
  ask: (questions: Question[]) => Promise<Answer[]>,
): Gathered<Question, Answer> {
  let waiting: Waiting<Question, Answer>[] = [];

  function send() {
    if (waiting.length === 0) return;
    const asked = waiting;
    waiting = [];
    ask(asked.map(({ question }) => question)).then(
      (answers) => {
        for (const [index, { resolve }] of asked.entries()) resolve(answers[index]!);
      },
      (error) => {
        for (const { reject } of asked) reject(error);
      },
    );
  }

  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(send);
      if (waiting.push({ question, resolve, reject }) === TOGETHER) send();
    });
}
