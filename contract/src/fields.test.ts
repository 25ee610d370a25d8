import { expect, it } from 'vitest';
import { askChatGpt, type Endpoint, endpoints } from './index.ts';

const wrongValues = [7, -1.5, 'text', '', true, null, [], [{}], {}, { a: 1 }, 'x'.repeat(200_000)];

it.each(Object.entries(endpoints) as [string, Endpoint][])(
  'says in words what is wrong with each field of %s',
  (_, { request }) => {
    const { shape = {} } = request as { shape?: object };
    for (const field of Object.keys(shape)) {
      for (const value of wrongValues) {
        const { error } = request.safeParse({ [field]: value });
        for (const { message } of error?.issues ?? [])
          expect(message).toMatch(/^(?!Invalid input)[A-Z].*\.$/);
      }
    }
  },
);

it('names the kind of value that a field needs', () => {
  const request = { question: 'x', query: 'x' };
  const [issue] = askChatGpt.request.safeParse(request).error?.issues ?? [];
  expect(issue).toMatchObject({ path: ['query'], message: 'Must be an object.' });
});
