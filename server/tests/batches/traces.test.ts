import { afterAll, expect, it } from 'vitest';
import { startFakeChat } from '../../../fakes/chat/server.ts';
import { serveProvider } from '../../../fakes/provider-server.ts';
import { BatchClient, whenEnded } from '../support/batches.ts';
import { startTestServer } from '../support/test-server.ts';

const chat = await startFakeChat();
const collector = await serveProvider(0, () => ({ status: 200 }));
afterAll(async () => {
  await collector[Symbol.asyncDispose]();
  await chat.close();
});

interface Span {
  spanId: string;
  traceId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

function receivedSpans(): Span[] {
  const bodies = collector.calls.map(({ body }) => JSON.parse(body));
  return bodies.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

const attributeOf = ({ attributes }: Span, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

it('traces each row with its wait, its calls and the time until it is stored, without a text', async () => {
  const server = await startTestServer({
    CHAT_BASE_URL: chat.url,
    CHAT_MODEL: 'fake',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer collector-token',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  const client = await BatchClient.create(server, 10);
  const { id } = await client.start(['the word hedgehog', 'hedgehog [[corrected]]'], {
    query: { outputs: ['reply'] },
  });
  await whenEnded(server, client.user, id);
  await server.restart();

  expect(collector.calls[0]).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer collector-token' },
  });
  const spans = receivedSpans();
  const roots = spans.filter(({ name }) => name === 'row');
  expect(roots.map((root) => attributeOf(root, 'rowmill.row')).sort()).toEqual([1, 2]);
  for (const root of roots) {
    expect(root.parentSpanId).toBeUndefined();
    expect(attributeOf(root, 'rowmill.batch')).toBe(id);
    const parts = spans.filter(({ parentSpanId }) => parentSpanId === root.spanId);
    const isAskedTwice = attributeOf(root, 'rowmill.row') === 2;
    expect(parts.map((part) => [part.name, attributeOf(part, 'rowmill.outcome')])).toEqual([
      ...(isAskedTwice ? [['call', 'unusable']] : []),
      ['call', 'answered'],
      ['store', undefined],
    ]);
    for (const part of parts) {
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
      expect(BigInt(part.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
  }
  expect(collector.calls.map(({ body }) => body).join()).not.toContain('hedgehog');
});

it('runs batches while the collector is away', async () => {
  const server = await startTestServer({
    CHAT_BASE_URL: chat.url,
    CHAT_MODEL: 'fake',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  const client = await BatchClient.create(server, 10);
  const { id } = await client.start(['a', 'b', 'c']);
  expect(await whenEnded(server, client.user, id)).toMatchObject({ answered: 3, charged: 3 });
});
