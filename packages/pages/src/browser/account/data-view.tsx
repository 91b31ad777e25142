import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '@latchkey/client';
import { dataMessages as messages } from '../../messages/en/account.js';
import { appData } from '../app-data.js';
import { client } from '../client.js';
import { download } from '../download.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import { Section } from '../ui/section.js';
import { useGuarded } from '../ui/step-up.js';
import { Table } from '../ui/table.js';
import { dateTimeText } from '../ui/time.js';
import { DeletionSection } from './deletion-section.js';
import { accountFailureText } from './failure-texts.js';

type PersonalData = Schemas['PersonalData'];

const KINDS = Object.keys(messages.kinds) as (keyof typeof messages.kinds)[];

/** The copy of the user's data, and the deletion of the account. */
export const DataView = (): VNode => (
  <>
    <ExportSection />
    {appData.accountDeletion && <DeletionSection />}
  </>
);

/** The data is asked for by a button, because the service limits how often it is created. */
function ExportSection(): VNode {
  const guarded = useGuarded();
  const [data, setData] = useState<PersonalData>();
  const [notice, setNotice] = useState('');
  const create = async (): Promise<void> => {
    setNotice('');
    const { data: created, error } = await guarded(() => client.request('GET', '/auth/me/export'));
    if (created) setData(created);
    else if (error.code !== 'aborted') setNotice(accountFailureText(error));
  };
  return (
    <Section
      title={messages.title}
      lead={messages.lead}
      actions={
        <>
          <Button onPress={create}>{messages.create}</Button>
          {data && <Button onPress={() => save(data)}>{messages.download}</Button>}
        </>
      }
    >
      {notice !== '' && (
        <div class="panel-body">
          <Notice>{notice}</Notice>
        </div>
      )}
      {data && <Contents data={data} />}
    </Section>
  );
}

function save(data: PersonalData): void {
  const day = data.exportedAt.slice(0, 10);
  download(`account-${day}.json`, `${JSON.stringify(data, null, 2)}\n`, 'application/json');
}

function Contents({ data }: { data: PersonalData }): VNode {
  return (
    <>
      <p class="panel-body" role="status">
        {messages.createdAt.replace('{time}', dateTimeText(data.exportedAt))}
        {!data.isComplete && ` ${messages.incomplete}`}
      </p>
      <Table
        label={messages.contents}
        items={KINDS}
        keyOf={(kind) => kind}
        columns={[
          { title: messages.records, cell: (kind) => messages.kinds[kind] },
          { title: messages.count, cell: (kind) => data[kind].length },
        ]}
      />
      <details class="raw">
        <summary>{messages.raw}</summary>
        <pre tabIndex={0} role="region" aria-label={messages.raw}>
          {JSON.stringify(data, null, 2)}
        </pre>
      </details>
    </>
  );
}
