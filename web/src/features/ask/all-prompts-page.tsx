import { type AnswerOf, getQuestionsAsked, listedAnswerLength } from '@rowmill/contract';
import { useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { CopyAnswer } from '../../entities/prompt/copy-answer.tsx';
import { queryOf } from '../../lib/api/query.ts';
import { formatNumber, formatTime } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { useSubjectId } from '../../lib/session.ts';
import * as texts from '../../texts/ask.ts';
import { rowCount } from '../../texts/entities.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosure } from '../../ui/form/disclosure.tsx';
import { SearchField } from '../../ui/form/search-field.tsx';
import { EntryList } from '../../ui/list/entry-list.tsx';
import { NothingFound } from '../../ui/list/list-section.tsx';
import { useList } from '../../ui/list/use-list.ts';
import { Loading } from '../../ui/loading.tsx';
import { changeDraft, withReplaced } from './draft.ts';
import styles from './prompt/prompt.module.css';

export function AllPromptsPage() {
  const userId = useSubjectId();
  return userId ? <AllPrompts key={userId} userId={userId} /> : null;
}

/** Every prompt that was asked, to find one and use it again. */
function AllPrompts({ userId }: { userId: string }) {
  const list = useList((page) => queryOf(getQuestionsAsked, page));
  return (
    <section className="card" aria-labelledby="prompts-title" aria-busy={list.query.isFetching}>
      <div className="spread">
        <h2 id="prompts-title">{texts.yourPrompts}</h2>
        <Link to={paths.ask}>{texts.newRequest}</Link>
      </div>
      <SearchField
        label={texts.searchPrompts}
        placeholder={texts.searchPromptsHint}
        {...list.search}
      />
      <Loading query={list.query}>
        {({ questions, total, searched }) => (
          <>
            {searched && (
              <p className="muted">{texts.promptsSearched(formatNumber(searched.prompts))}</p>
            )}
            {total === 0 ? (
              list.isSearched ? (
                <NothingFound
                  text={texts.noMatchingPrompts}
                  all={texts.showAllPrompts}
                  onAll={list.showAll}
                />
              ) : (
                <p>{texts.noPrompts}</p>
              )
            ) : (
              <EntryList entries={questions} paging={{ ...list.page, total }}>
                {(prompt) => <Entry prompt={prompt} userId={userId} />}
              </EntryList>
            )}
          </>
        )}
      </Loading>
    </section>
  );
}

type Prompt = AnswerOf<typeof getQuestionsAsked>['questions'][number];

function Entry({ prompt, userId }: { prompt: Prompt; userId: string }) {
  const { question, asked_at, sheet, rows, answer, problem, charged } = prompt;
  const reuse = useReuse(userId);
  const id = useId();
  return (
    <>
      <div className={styles.asked}>
        <span id={id} className={styles.clamped}>
          {question}
        </span>
        {!prompt.is_question_cut && (
          <Button variant="secondary" aria-describedby={id} onClick={() => reuse(prompt)}>
            {texts.useAgain}
          </Button>
        )}
      </div>
      <span className="muted">
        {texts.timeAndRows({
          time: formatTime(asked_at),
          rows:
            sheet === null
              ? texts.oneQuestionFor(charged ?? 0, formatNumber(charged ?? 0))
              : `${sheet}, ${rowCount(formatNumber(rows))}`,
        })}
      </span>
      {problem && <span className="muted">{problem}</span>}
      {prompt.is_question_cut && <span className="muted">{texts.promptIsCut}</span>}
      {answer !== null && <Answer answer={answer} isCut={prompt.is_answer_cut} />}
    </>
  );
}

function Answer({ answer, isCut }: { answer: string; isCut: boolean }) {
  return (
    <Disclosure title={texts.answer}>
      <p className={styles.answer}>{answer}</p>
      {isCut && <p className="muted">{texts.answerIsCut(formatNumber(listedAnswerLength))}</p>}
      <CopyAnswer answer={answer} />
    </Disclosure>
  );
}

/** Writes the prompt into the draft of a sheet or of a single prompt, and opens it. */
function useReuse(userId: string): (prompt: Prompt) => void {
  const navigate = useNavigate();
  return ({ question, sheet }) => {
    const part = sheet === null ? { question } : { prompt: question };
    changeDraft(userId, (draft) => withReplaced(draft, part));
    void navigate(sheet === null ? `${paths.ask}?sheet=none` : paths.ask);
  };
}
