import { downloadUploadedCsv, type Sheet } from '@rowmill/contract';
import { useMutation } from '@tanstack/react-query';
import { callForFile } from '../../../lib/api/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { useIsPhone } from '../../../lib/hooks/use-media-query.ts';
import { saveFile } from '../../../lib/save-file.ts';
import * as texts from '../../../texts/issues.ts';
import { Button } from '../../../ui/button.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { ImportSettings } from '../api.ts';
import { settingsOf } from './import-settings.tsx';

interface Props {
  sheet: Sheet;
  busy: boolean;
  onApply: (settings: ImportSettings) => void;
}
type ListProps = Props & {
  /** The sheet ran before, so its issues were seen. */
  isKnown: boolean;
};

type Problem = Sheet['report']['problems'][number];

/** How to take back what each kind of repair changed in the settings. */
const undo: Readonly<Record<string, { change: ImportSettings; label: string }>> = {
  title_rows: { change: { skip_rows: 0 }, label: texts.undoRepair },
  comment: { change: { comment: '' }, label: texts.undoRepair },
  header_rows: { change: { header_rows: 1 }, label: texts.undoRepair },
  header_guess: { change: { header: false }, label: texts.useAsRow },
};

/**
 * Issues with the same words are one line. Where rows and prompt would leave the screen, those
 * without a choice are folded.
 */
export function IssueList({ sheet, busy, onApply, isKnown }: ListProps) {
  const { problems, total } = sheet.report;
  const isPhone = useIsPhone();
  if (total === 0) return null;
  const hasChoice = problems.some(({ kind }) => kind in undo);
  const groups = [...Map.groupBy(problems, ({ kind, message }) => `${kind} ${message}`).values()];
  const more = total - problems.length;
  return (
    <Notice tone="warning" isStatic>
      <Disclosure
        title={texts.issuesFound(total, formatNumber(total))}
        startsOpen={!isKnown && (hasChoice || !isPhone)}
      >
        <ul>
          {groups.map((group) => (
            <li key={`${group[0]?.kind} ${group[0]?.message}`}>
              <Issue group={group} />
              <UndoButton kind={group[0]?.kind} sheet={sheet} busy={busy} onApply={onApply} />
            </li>
          ))}
          {more > 0 && <li>{texts.moreIssues(formatNumber(more))}</li>}
        </ul>
        {sheet.is_sure && <RepairedFile sheet={sheet} />}
      </Disclosure>
    </Notice>
  );
}

function RepairedFile({ sheet }: Pick<Props, 'sheet'>) {
  const download = useMutation({ mutationFn: () => downloadRepaired(sheet) });
  return (
    <div>
      <Button variant="secondary" busy={download.isPending} onClick={() => download.mutate()}>
        {texts.downloadRepaired}
      </Button>
    </div>
  );
}

async function downloadRepaired({ id, name }: Sheet): Promise<void> {
  const repaired = await callForFile(downloadUploadedCsv, { id, repaired: 'true' });
  saveFile(texts.repairedFileName(name.replace(/\.\w{1,5}$/, '')), repaired);
}

function Issue({ group }: { group: readonly Problem[] }) {
  const [first, ...others] = group;
  if (!first) return null;
  if (others.length === 0) return `${describePlace(first)}${first.message}`;
  return (
    <>
      {texts.severalTimes(first.message, formatNumber(group.length))}
      <Disclosure title={texts.showPlaces}>
        <p>{group.map((problem) => describePlace(problem, '')).join('; ')}</p>
      </Disclosure>
    </>
  );
}

function UndoButton({ kind, sheet, busy, onApply }: Props & { kind: string | undefined }) {
  const repair = undo[kind ?? ''];
  if (!repair || !sheet.is_sure) return null;
  return (
    <>
      {' '}
      <Button
        variant="secondary"
        busy={busy}
        onClick={() => onApply({ ...settingsOf(sheet.dialect), ...repair.change })}
      >
        {repair.label}
      </Button>
    </>
  );
}

function describePlace({ line, column }: Problem, end = ': '): string {
  const parts = [
    ...(line === null ? [] : [texts.issueLine(formatNumber(line))]),
    ...(column === null ? [] : [texts.issueColumn(column)]),
  ];
  return parts.length > 0 ? `${parts.join(', ')}${end}` : '';
}
