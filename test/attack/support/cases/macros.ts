/** Macros in a file that calls itself a plain document: LibreOffice imports them whatever the content types say. */
import type { Case, Targets } from '../case.ts';
import { attackDocx, paragraph, text } from '../docx.ts';
import { vbaProject } from '../vba.ts';

const VBA = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject';

const macroDocx = (body: string): Buffer =>
  attackDocx({
    body: paragraph(text('with macros')),
    relationships: [{ id: 'rIdVba', type: VBA, target: 'vbaProject.bin' }],
    parts: [
      {
        name: 'word/vbaProject.bin',
        type: 'application/vnd.ms-office.vbaProject',
        data: vbaProject(
          ['AutoOpen', 'Document_Open', 'AutoExec', 'AutoClose']
            .map((name) => `Sub ${name}()\r\n${body}\r\nEnd Sub\r\n`)
            .join(''),
        ),
      },
    ],
  });

const mark = ({ folders }: Targets): string => `${folders[0]}/macro-ran`;

/**
 * No layer claims them: 7.4 ran them in no profile that was tried, also with all layers off, so no test of a layer could
 * fail.
 */
export const macros: readonly Case[] = [
  {
    name: 'a macro that writes a file when its document is opened',
    build: (targets) => macroDocx(`Open "${mark(targets)}" For Output As #1\r\nPrint #1, "ran"\r\nClose #1`),
  },
  {
    name: 'a macro that runs a program when its document is opened',
    build: (targets) => macroDocx(`Shell "/usr/bin/touch ${mark(targets)}"`),
  },
];
