import { batchStates } from '@rowmill/contract';
import { type ReactNode, useState } from 'react';
import { ProgressBar } from '../src/entities/batch/progress-bar.tsx';
import { StateBadge } from '../src/entities/batch/state-badge.tsx';
import { AddressFields } from '../src/entities/billing-address/address-fields.tsx';
import { CountryField } from '../src/entities/billing-address/country-field.tsx';
import { showToast } from '../src/lib/toasts.ts';
import { Avatar } from '../src/ui/avatar.tsx';
import { Button } from '../src/ui/button.tsx';
import { Dialog } from '../src/ui/dialog.tsx';
import { EntryList } from '../src/ui/entry-list.tsx';
import { ChoiceField } from '../src/ui/form/choice-field.tsx';
import { QuantityField } from '../src/ui/form/quantity-field.tsx';
import { SearchField } from '../src/ui/form/search-field.tsx';
import { TextArea } from '../src/ui/form/text-area.tsx';
import { TextField } from '../src/ui/form/text-field.tsx';
import { Logo } from '../src/ui/logo.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { Paging } from '../src/ui/paging.tsx';
import { TableHead } from '../src/ui/table-head.tsx';
import { LoadingStates } from './loading-states.tsx';

const person = { first_name: 'Clara', last_name: 'Corkill', profile_photo: null };
const entries = [
  { id: 'a', what: 'You started a batch.' },
  { id: 'b', what: 'You uploaded a sheet.' },
];
const batch = { name: 'spring-catalogue.csv', rows: 100, answered: 62, failed: 8 };
const ignore = () => {};

export function Gallery({ theme }: { theme: string }) {
  return (
    <>
      <h2>{theme}</h2>
      <Shown name="Button">
        <Buttons />
      </Shown>
      <Shown name="Notice">
        {(['info', 'success', 'warning', 'error'] as const).map((tone) => (
          <Notice key={tone} tone={tone}>
            A notice of the tone “{tone}”.
          </Notice>
        ))}
      </Shown>
      <Shown name="TextField, TextArea">
        <TextArea label="Several lines" name="lines" defaultValue="One point a line." />
        <TextField label="Plain" name="plain" hint="A hint stands below." />
        <TextField
          label="With a problem"
          name="wrong"
          defaultValue="nora@"
          problem="This is not an e-mail address."
        />
        <TextField label="Password" name="secret" type="password" defaultValue="plain straw" />
      </Shown>
      <Shown name="SearchField, QuantityField, ChoiceField, CountryField">
        <Searching />
        <Counting />
        <ChoiceField
          label="Model"
          choices={[
            ['fast', 'Fast'],
            ['good', 'Good'],
          ]}
          hint="Each has its price."
        />
        <CountryField name="country" />
      </Shown>
      <Shown name="AddressFields">
        <AddressFields address={{ name: 'Vera Visitor', country: 'IM' }} problems={{}} />
      </Shown>
      <Shown name="StateBadge, ProgressBar, Avatar, Logo">
        <div className="row">
          {batchStates.map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </div>
        <ProgressBar batch={batch} />
        <Avatar person={person} label="Clara Corkill" />
        <Logo />
      </Shown>
      <Shown name="TableHead, Paging">
        <table>
          <TableHead columns={['Batch', 'Rows']} />
          <tbody>
            <tr>
              <td>spring-catalogue.csv</td>
              <td>100</td>
            </tr>
          </tbody>
        </table>
        <Paging start={20} shown={20} total={60} limit={20} onGo={ignore} />
      </Shown>
      <Shown name="EntryList">
        <EntryList entries={entries} paging={{ start: 0, limit: 2, total: 5, onGo: ignore }}>
          {({ what }) => <span>{what}</span>}
        </EntryList>
      </Shown>
      <Shown name="Loading">
        <LoadingStates />
      </Shown>
      <Shown name="Dialog, Toaster">
        <Layers />
      </Shown>
    </>
  );
}

function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="card stack" aria-label={name}>
      <h3>{name}</h3>
      {children}
    </section>
  );
}

function Buttons() {
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

function Searching() {
  const [words, setWords] = useState('');
  return (
    <SearchField
      label="Search"
      hint={words ? `Searched for “${words}”.` : 'Asks when typing pauses.'}
      value={words}
      onSearch={setWords}
    />
  );
}

function Counting() {
  const [count, setCount] = useState(3);
  return <QuantityField label="packs" value={count} maximum={10} onChange={setCount} />;
}

function Layers() {
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
