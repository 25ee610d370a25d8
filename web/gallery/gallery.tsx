import { batchStates } from '@rowmill/contract';
import { type ReactNode, useState } from 'react';
import { ProgressBar } from '../src/entities/batch/progress-bar.tsx';
import { StateBadge } from '../src/entities/batch/state-badge.tsx';
import { AddressFields } from '../src/entities/billing-address/address-fields.tsx';
import { CountryField } from '../src/entities/billing-address/country-field.tsx';
import { showToast } from '../src/lib/toasts.ts';
import { Avatar } from '../src/ui/avatar.tsx';
import { Button } from '../src/ui/button.tsx';
import { DataTable } from '../src/ui/data-table.tsx';
import { Dialog } from '../src/ui/dialog.tsx';
import { FactList } from '../src/ui/fact-list.tsx';
import { ChoiceField } from '../src/ui/form/choice-field.tsx';
import { QuantityField } from '../src/ui/form/quantity-field.tsx';
import { SearchField } from '../src/ui/form/search-field.tsx';
import { TextArea } from '../src/ui/form/text-area.tsx';
import { TextField } from '../src/ui/form/text-field.tsx';
import { EntryList } from '../src/ui/list/entry-list.tsx';
import { Paging } from '../src/ui/list/paging.tsx';
import { Logo } from '../src/ui/logo.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { OptionButton } from '../src/ui/option-button.tsx';
import { Tabs } from '../src/ui/tabs.tsx';
import { LoadingStates } from './loading-states.tsx';

const person = { first_name: 'Clara', last_name: 'Corkill', profile_photo: null };
const entries = [
  { id: 'a', what: 'You started a batch.' },
  { id: 'b', what: 'You uploaded a sheet.' },
];
const batch = {
  name: 'spring-catalogue.csv',
  rows: 100,
  answered: 62,
  failed: 8,
  skipped: 5,
  ended_at: null,
};
const ignore = () => {};

export function Gallery({ theme }: { theme: string }) {
  return (
    <>
      <h2>{theme}</h2>
      <Example name="Button">
        <ButtonExample />
      </Example>
      <Example name="Notice">
        {(['info', 'success', 'warning', 'error'] as const).map((tone) => (
          <Notice key={tone} tone={tone}>
            A notice of the tone “{tone}”.
          </Notice>
        ))}
      </Example>
      <Example name="TextField, TextArea">
        <TextArea label="Several lines" name="lines" defaultValue="One point a line." />
        <TextField label="Plain" name="plain" hint="A hint stands below." />
        <TextField
          label="With a problem"
          name="wrong"
          defaultValue="nora@"
          problem="This is not an email address."
        />
        <TextField label="Password" name="secret" type="password" defaultValue="plain straw" />
      </Example>
      <Example name="SearchField, QuantityField, ChoiceField, CountryField">
        <SearchExample />
        <QuantityExample />
        <ChoiceField
          label="Model"
          choices={[
            ['fast', 'Fast'],
            ['good', 'Good'],
          ]}
          hint="Each has its price."
        />
        <CountryField name="country" />
      </Example>
      <Example name="AddressFields">
        <AddressFields address={{ name: 'Vera Visitor', country: 'IM' }} />
      </Example>
      <Example name="StateBadge, ProgressBar, Avatar, Logo">
        <div className="row">
          {batchStates.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </div>
        <ProgressBar batch={batch} />
        <Avatar person={person} label="Clara Corkill" />
        <Logo />
      </Example>
      <Example name="DataTable, Paging">
        <DataTable label="Batches" columns={['Batch', 'Rows']}>
          <tr>
            <td>spring-catalogue.csv</td>
            <td data-label="Rows">100</td>
          </tr>
        </DataTable>
        <Paging start={20} shown={20} total={60} limit={20} onGo={ignore} />
      </Example>
      <Example name="Tabs, OptionButton, FactList">
        <Tabs
          label="Views"
          tabs={[
            { to: '/', label: 'One', isCurrent: true },
            { to: '/two', label: 'Another' },
          ]}
        />
        <OptionButton onPick={ignore}>
          <strong>An option</strong>
          <span className="muted">A press anywhere picks it.</span>
        </OptionButton>
        <FactList facts={[{ name: 'Rows', value: '100' }]} />
      </Example>
      <Example name="EntryList">
        <EntryList entries={entries} paging={{ start: 0, limit: 2, total: 5, onGo: ignore }}>
          {({ what }) => <span>{what}</span>}
        </EntryList>
      </Example>
      <Example name="Loading">
        <LoadingStates />
      </Example>
      <Example name="Dialog, Toaster">
        <LayerExample />
      </Example>
    </>
  );
}

function Example({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="card" aria-label={name}>
      <h3>{name}</h3>
      {children}
    </section>
  );
}

function ButtonExample() {
  return (
    <div className="row">
      {(['primary', 'secondary', 'ghost', 'danger'] as const).map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      ))}
      <Button disabled>disabled</Button>
      <Button busy>busy</Button>
    </div>
  );
}

function SearchExample() {
  const [words, setWords] = useState('');
  return (
    <SearchField
      label="Search"
      placeholder={words ? `Searched for “${words}”.` : 'Searches when typing pauses.'}
      value={words}
      onSearch={setWords}
    />
  );
}

function QuantityExample() {
  const [count, setCount] = useState(3);
  return <QuantityField label="packs" value={count} maximum={10} onChange={setCount} />;
}

function LayerExample() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="row">
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Open a dialog
      </Button>
      {(['info', 'success', 'error'] as const).map((tone) => (
        <Button
          key={tone}
          variant="secondary"
          onClick={() => showToast(tone, `A toast of the tone “${tone}”.`)}
        >
          Toast: {tone}
        </Button>
      ))}
      {isOpen && (
        <Dialog title="A dialog" onClose={() => setOpen(false)}>
          <p>It keeps the focus inside and closes on Escape.</p>
          <Button onClick={() => setOpen(false)}>Close</Button>
        </Dialog>
      )}
    </div>
  );
}
