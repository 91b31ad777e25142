import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { pictureMessages as messages } from '../../messages/en/picture.js';
import { client } from '../client.js';
import { pictureAt } from '../picture.js';
import { Avatar } from '../ui/avatar.js';
import { Button } from '../ui/button.js';
import { ConfirmDialog } from '../ui/confirm-dialog.js';
import { Notice } from '../ui/notice.js';
import { Section } from '../ui/section.js';
import { useToast } from '../ui/toast.js';
import { accountFailureText } from './failure-texts.js';
import { useAccount } from './me.js';
import { PictureDialog } from './picture-dialog.js';

/** The picture of the user: upload, change, removal. */
export function PictureSection(): VNode {
  const { me, reload } = useAccount();
  const announce = useToast();
  const [image, setImage] = useState<ImageBitmap>();
  const [isUnreadable, setUnreadable] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const hasPicture = pictureAt(me.profilePictureUrl) !== undefined;
  const changed = async (text: string): Promise<void> => {
    await reload();
    setImage(undefined);
    setRemoving(false);
    announce(text, 'spoken');
  };
  return (
    <Section title={messages.title} lead={messages.lead}>
      <div class="panel-body picture-row">
        <Avatar user={me} size="large" />
        <div class="button-row">
          <FileButton
            label={hasPicture ? messages.change : messages.upload}
            onFile={async (file) => {
              const opened = await open(file);
              setImage(opened);
              setUnreadable(!opened);
            }}
          />
          {hasPicture && <Button onPress={() => setRemoving(true)}>{messages.remove}</Button>}
        </div>
      </div>
      {isUnreadable && (
        <div class="panel-body">
          <Notice>{messages.unreadable}</Notice>
        </div>
      )}
      {image && (
        <PictureDialog
          image={image}
          onClose={() => setImage(undefined)}
          onSaved={() => void changed(messages.saved)}
        />
      )}
      {isRemoving && (
        <RemoveDialog onClose={() => setRemoving(false)} onRemoved={() => changed(messages.removed)} />
      )}
    </Section>
  );
}

function RemoveDialog({
  onClose,
  onRemoved,
}: {
  onClose: () => void;
  onRemoved: () => Promise<void>;
}): VNode {
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      action={messages.remove}
      textOf={accountFailureText}
      onConfirm={async () => {
        const { error } = await client.account.removePicture();
        if (!error) await onRemoved();
        return error;
      }}
      onClose={onClose}
    >
      {messages.removeText}
    </ConfirmDialog>
  );
}

/** Returns undefined for a file that the browser cannot show. */
const open = (file: File): Promise<ImageBitmap | undefined> => createImageBitmap(file).catch(() => undefined);

/** A button that lets the user choose a picture. The input of the browser is hidden, because it shows texts of its own. */
function FileButton({ label, onFile }: { label: string; onFile: (file: File) => Promise<void> }): VNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) void onFile(file);
        }}
      />
      <Button onPress={() => input.current?.click()}>{label}</Button>
    </>
  );
}
