/** Rules for what the pages draw: colours, images, forms, graphics states, transparency. */
import { colourRules } from '../../src/convert/pdf/conformance/colour-rules.ts';
import { graphicsRules } from '../../src/convert/pdf/conformance/graphics-rules.ts';
import { transparencyRules } from '../../src/convert/pdf/conformance/transparency-rules.ts';
import { proves } from './proof.ts';
import { iccProfile, type Sample } from './sample.ts';

const UNCALIBRATED = 'Colours are calibrated';
const ICC_SPACES = 'Colour spaces with ICC';

/** The image has a profile of its own, so that the one of the output intent can be another. */
function separateImage(sample: Sample): void {
  sample.parts.icc2 = { text: '<</N 3>>', data: iccProfile() };
  sample.change('image', '{icc}', '{icc2}');
}

proves(
  [...colourRules, ...graphicsRules, ...transparencyRules],
  [
    {
      demand: 'An output intent for PDF/A',
      name: 'a profile of a scanner',
      change: (sample) => {
        separateImage(sample);
        sample.part('icc').data = iccProfile(2, 'scnr');
      },
    },
    {
      demand: 'An output intent for PDF/A',
      name: 'a profile of a later version',
      change: (sample) => {
        separateImage(sample);
        sample.part('icc').data = iccProfile(5);
      },
    },
    {
      demand: 'An output intent for PDF/A',
      name: 'no profile',
      change: (sample) => sample.change('intent', '/DestOutputProfile{icc}', ''),
      also: [UNCALIBRATED],
    },
    {
      demand: 'An output intent for PDF/A',
      name: 'a profile of version 4, in part 1',
      profiles: ['1b'],
      change: (sample) => {
        separateImage(sample);
        sample.part('icc').data = iccProfile(4);
      },
    },
    {
      demand: 'All output intents',
      name: 'another profile',
      change: (sample) => {
        sample.parts.other = { text: '<</N 3>>', data: iccProfile() };
        sample.parts.intent2 = { text: '<</Type/OutputIntent/S/GTS_PDFX/DestOutputProfile{other}>>' };
        sample.change('catalog', '{intent}', '{intent}{intent2}');
      },
    },
    {
      demand: ICC_SPACES,
      name: 'four for RGB',
      change: (sample) => {
        separateImage(sample);
        sample.change('icc2', '/N 3', '/N 4');
      },
    },
    {
      demand: UNCALIBRATED,
      name: 'no output intent',
      change: (sample) => sample.change('catalog', '/OutputIntents[{intent}]', ''),
    },
    {
      demand: UNCALIBRATED,
      name: 'CMYK beside an output intent of RGB',
      change: (sample) => sample.changeData('content', '1 0 0 RG', '1 0 0 0 K'),
    },
    {
      demand: UNCALIBRATED,
      name: 'outlines of letters in CMYK',
      change: (sample) => sample.changeData('content', '0 0 0 rg', '1 Tr 0 0 0 1 K'),
    },
    {
      demand: UNCALIBRATED,
      name: 'an image in CMYK',
      change: (sample) => sample.change('image', '[/ICCBased{icc}]', '[/Indexed/DeviceCMYK 0<00000000>]'),
    },
    {
      demand: UNCALIBRATED,
      name: 'a pattern in CMYK',
      change: (sample) => {
        const text =
          '<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>>>';
        sample.parts.pattern = { text, data: '0 0 0 1 k 0 0 1 1 re f' };
        sample.change('page', '/Font', '/Pattern<</P1{pattern}>>/Font');
        sample.changeData('content', '1 0 0 RG', '/Pattern CS /P1 SCN');
      },
    },
    {
      demand: 'Rendering intents',
      name: 'an unknown one',
      change: (sample) => sample.changeData('content', 'q 1 0 0', 'q /Other ri 1 0 0'),
    },
    {
      demand: 'Rendering intents',
      name: 'an unknown one of an image',
      change: (sample) => sample.add('image', '/Intent/Other'),
    },
    {
      demand: 'Content streams have only',
      name: 'an unknown operator',
      change: (sample) => sample.changeData('form', 'S', 'S BX xx EX'),
    },
    {
      demand: 'Content streams have only',
      name: 'an unknown operator in an appearance',
      change: (sample) => sample.changeData('appearance', 'S', 'S xx'),
    },
    {
      demand: 'What content streams name',
      name: 'an image that is missing',
      change: (sample) => sample.change('page', '/Im1{image}', ''),
    },
    {
      demand: 'Pages and forms have resources',
      name: 'those of the page tree',
      change: (sample) => {
        const page = sample.part('page');
        const [resources = ''] = /\/Resources.*(?=>>$)/s.exec(page.text) ?? [];
        page.text = page.text.replace(resources, '');
        sample.add('pages', resources);
      },
    },
    { demand: 'Images have', name: 'alternates', change: (sample) => sample.add('image', '/Alternates[]') },
    {
      demand: 'Images have',
      name: 'interpolation',
      change: (sample) => sample.add('image', '/Interpolate true'),
    },
    {
      demand: 'Images have',
      name: '3 bits',
      change: (sample) => sample.change('image', 'Component 8', 'Component 3'),
    },
    {
      demand: 'Images have',
      name: '16 bits',
      profiles: ['1b'],
      change: (sample) => sample.change('image', 'Component 8', 'Component 16'),
    },
    {
      demand: 'Images have',
      name: 'interpolation in an inline image',
      change: (sample) =>
        sample.changeData('content', 'q /G1', 'BI /W 1 /H 1 /IM true /I true ID \x80 EI q /G1'),
    },
    {
      demand: 'Images have',
      name: 'a mask of 8 bits',
      change: (sample) => sample.add('image', '/ImageMask true'),
    },
    {
      demand: 'Images are not in JPEG',
      name: 'one',
      change: (sample) => sample.add('image', '/Filter/JPXDecode'),
    },
    { demand: 'Forms have neither', name: 'OPI', change: (sample) => sample.add('form', '/OPI<<>>') },
    {
      demand: 'Pages and forms have resources',
      name: 'a form with those of its page',
      change: (sample) => {
        sample.change('form', '/Resources<<>>', '');
        sample.changeData('form', '0 0 m', '/G1 gs 0 0 m');
      },
    },
    {
      demand: 'Forms have neither',
      name: 'PostScript',
      change: (sample) => sample.add('form', '/Subtype2/PS'),
    },
    { demand: 'Forms are not those', name: 'one', change: (sample) => sample.add('form', '/Ref<<>>') },
    {
      demand: 'There is no PostScript',
      name: 'some',
      change: (sample) => sample.change('form', '/Form', '/PS'),
    },
    {
      demand: 'Rendering intents are',
      name: 'an unknown one of an inline image',
      change: (sample) =>
        sample.changeData('content', 'q /G1', 'BI /W 1 /H 1 /IM true /BPC 1 /Intent /Other ID \x80 EI q /G1'),
    },
    {
      demand: 'Graphics states have no',
      name: 'a function',
      change: (sample) => sample.add('state', '/TR/Identity'),
    },
    {
      demand: 'Graphics states have no',
      name: 'another function',
      change: (sample) => sample.add('state', '/TR2/Identity'),
    },
    {
      demand: 'Graphics states have no',
      name: 'a phase of halftones',
      profiles: ['2b', '3b'],
      change: (sample) => sample.add('state', '/HTP[0 0]'),
    },
    {
      demand: 'Graphics states have no',
      name: 'an origin of halftones',
      profiles: ['4'],
      change: (sample) => sample.add('state', '/HTO[0 0]'),
    },
    { demand: 'No graphics state', name: 'an opacity', change: (sample) => sample.add('state', '/ca 0.5') },
    {
      demand: 'No graphics state',
      name: 'a blend mode',
      change: (sample) => sample.add('state', '/BM/Multiply'),
    },
    {
      demand: 'No graphics state',
      name: 'a soft mask',
      change: (sample) => sample.add('state', '/SMask<</S/Alpha/G{form}>>'),
    },
    { demand: 'No image or form', name: 'one', change: (sample) => sample.add('image', '/SMask{image}') },
    {
      demand: 'No page or form',
      name: 'a form',
      change: (sample) => sample.add('form', '/Group<</S/Transparency/CS/DeviceRGB>>'),
    },
    {
      demand: 'No page or form',
      name: 'a page',
      change: (sample) => sample.add('page', '/Group<</S/Transparency/CS/DeviceRGB>>'),
    },
    { demand: 'Blend modes', name: 'an unknown one', change: (sample) => sample.add('state', '/BM/Other') },
    {
      demand: 'Transparency groups blend',
      name: 'CMYK beside an output intent of RGB',
      change: (sample) => sample.add('page', '/Group<</S/Transparency/CS/DeviceCMYK>>'),
    },
    {
      demand: 'Without an output intent',
      name: 'none',
      change: (sample) => {
        sample.change('catalog', '/OutputIntents[{intent}]', '');
        sample.add('state', '/CA 0.5');
      },
      also: [UNCALIBRATED],
    },
  ],
);
