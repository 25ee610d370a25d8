import { type AnswerOf, getProviders, type Provider, testProvider } from '@rowmill/contract';
import { useState } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import * as texts from '../../texts/operator/providers.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { Disclosure } from '../../ui/form/disclosure.tsx';
import { Form } from '../../ui/form/form.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';

type Report = AnswerOf<typeof testProvider>;

interface Props {
  provider: Provider;
  /** The name of a known model at the provider. */
  asked: string | undefined;
  onClose: () => void;
}

export function TestDialog({ provider, asked, onClose }: Props) {
  const [report, setReport] = useState<Report | null>(null);
  const form = useForm(
    async ({ model = '' }, send) => {
      setReport(null);
      const { id } = provider;
      setReport(await send(testProvider, model.trim() ? { id, model } : { id }));
      return null;
    },
    // Batches that it paused resume.
    { changes: [getProviders] },
  );
  return (
    <Dialog title={texts.testItem(provider.name)} size="medium" onClose={onClose}>
      <p className="muted">{texts.testNote}</p>
      <Form form={form}>
        <TextField
          label={texts.testModel}
          name="model"
          defaultValue={asked ?? ''}
          hint={provider.kind === 'azure' ? texts.testDeploymentHint : texts.testModelHint}
        />
        <div className="row">
          <Button type="submit">{texts.runTest}</Button>
          <Button variant="secondary" onClick={onClose}>
            {texts.close}
          </Button>
        </div>
      </Form>
      {report && <TestReport report={report} isOwn={provider.id !== null} />}
    </Dialog>
  );
}

/** `isOwn`: operators added the provider and can change it. */
function TestReport({ report, isOwn }: { report: Report; isOwn: boolean }) {
  const { works, problem, models, resumed } = report;
  return (
    <>
      <Notice tone={works ? 'success' : 'error'}>{problem ?? texts.works(resumed)}</Notice>
      {!works && isOwn && <p>{texts.changeAndTest}</p>}
      {works && <FactList facts={factsOf(report)} />}
      {models.length > 0 && (
        <Disclosure title={`${texts.lists} (${formatNumber(models.length)})`}>
          <ul>
            {models.map((model) => (
              <li key={model} className="long">
                {model}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

function factsOf({ model, milliseconds, columns, counts_tokens, limits }: Report) {
  const found = limits.map(({ of, limit, remaining }) =>
    texts.limitOf({ of, limit: formatNumber(limit), left: formatNumber(remaining) }),
  );
  return [
    { name: texts.model, value: model ?? '' },
    { name: texts.time, value: texts.milliseconds(formatNumber(milliseconds ?? 0)) },
    { name: texts.columns, value: columns ? texts.columnFindings[columns] : texts.unknown },
    { name: texts.tokens, value: counts_tokens ? texts.counted : texts.notCounted },
    { name: texts.limits, value: found.join('\n') || texts.noLimits },
  ];
}
